"""Write the golden hands again."""

from tests.golden.all_hands import GOLDEN

for golden in GOLDEN:
    golden.file.write_text(golden.text())
