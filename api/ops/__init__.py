"""Operations on whole stores: backups, checks, shards, and the doctor."""
