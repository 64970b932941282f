-- The accounts as version 0.1 stored them, with the cheapest hashes of the password 12345678.
CREATE TABLE boards (number BIGINT PRIMARY KEY, game TEXT NOT NULL UNIQUE);
INSERT INTO "boards" VALUES(1,'6fa459ea-ee8a-4ca4-894e-db77e160355e');
CREATE TABLE counters (name TEXT PRIMARY KEY, last BIGINT NOT NULL);
INSERT INTO "counters" VALUES('boards',1);
CREATE TABLE journal (
        number BIGINT PRIMARY KEY, at TEXT NOT NULL, what TEXT NOT NULL, told TEXT NOT NULL);
CREATE TABLE receipts (
        game TEXT NOT NULL, size BIGINT NOT NULL, root TEXT NOT NULL, note TEXT NOT NULL, given BIGINT NOT NULL,
        PRIMARY KEY (game, size));
CREATE TABLE roles (player TEXT NOT NULL, role TEXT NOT NULL, PRIMARY KEY (player, role));
INSERT INTO "roles" VALUES('p_dea64be4bda921225b654cd7','arbiter');
CREATE TABLE secrets (name TEXT PRIMARY KEY, hex TEXT NOT NULL);
CREATE TABLE signing_keys (
        number BIGINT PRIMARY KEY, vkey TEXT NOT NULL UNIQUE, secret TEXT, note TEXT, since BIGINT NOT NULL);
CREATE TABLE texts (
        command TEXT PRIMARY KEY, game TEXT NOT NULL, salt TEXT, text TEXT, written BIGINT NOT NULL, erased BIGINT);
CREATE TABLE tokens (
        sha256 TEXT PRIMARY KEY, player TEXT NOT NULL, created BIGINT NOT NULL, revoked BIGINT);
INSERT INTO "tokens" VALUES('3767977ed070ee6c615e3d65b5592893f23a27f4104c9963fd115133a20da47b','p_dea64be4bda921225b654cd7',1795414329690035,NULL);
INSERT INTO "tokens" VALUES('feed4b7b702b5a402a9b83c3d486fb35fb21583a57dd69b803e9a1122bef3d31','p_b38aea79085caf331a9020af',1795414329690393,NULL);
CREATE TABLE users (
        player TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, folded TEXT NOT NULL UNIQUE,
        password TEXT NOT NULL, created BIGINT NOT NULL);
INSERT INTO "users" VALUES('p_dea64be4bda921225b654cd7','ann','ann','$argon2id$v=19$m=8,t=1,p=1$7jHaO7Y7W2o$ljm4zg',1795414329688357);
INSERT INTO "users" VALUES('p_abcc19c670151b5baefdc4a3','Ann1','ann1','$argon2id$v=19$m=8,t=1,p=1$JbX2L8gqONg$VozOkw',1795414329688737);
INSERT INTO "users" VALUES('p_b38aea79085caf331a9020af','annl','annl','$argon2id$v=19$m=8,t=1,p=1$H7R2PbkNmkw$Uquiig',1795414329689045);
INSERT INTO "users" VALUES('p_487e210628e7efd2924d5bec','admin','admin','$argon2id$v=19$m=8,t=1,p=1$rceCiHtdM2Q$xmYAiQ',1795414329689336);
INSERT INTO "users" VALUES('p_73a361f1c11707ffe0d9bec8','Corn','corn','$argon2id$v=19$m=8,t=1,p=1$3oAck0iYG4A$Dfv3xA',1795414329689629);
CREATE INDEX tokens_of_player ON tokens (player);
