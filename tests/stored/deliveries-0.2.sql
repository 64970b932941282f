DELETE FROM schema_version WHERE number >= 5;
DROP TABLE deliveries;
DROP TABLE reader_places;
DROP TABLE mails;
DROP TABLE board_mail_places;
DROP TABLE webhooks;
CREATE TABLE mails (
    number BIGINT PRIMARY KEY, player TEXT NOT NULL, address TEXT NOT NULL, subject TEXT NOT NULL,
    body TEXT NOT NULL, due BIGINT NOT NULL, tries BIGINT NOT NULL);
CREATE TABLE mail_answers (
    id TEXT PRIMARY KEY, player TEXT NOT NULL, address TEXT NOT NULL, return_path TEXT NOT NULL,
    message TEXT, due BIGINT NOT NULL, tries BIGINT NOT NULL, written BIGINT NOT NULL);
CREATE INDEX mail_answers_due ON mail_answers (due) WHERE message IS NOT NULL;
CREATE TABLE board_mail_places (
    player TEXT NOT NULL, game TEXT NOT NULL, mailed BIGINT NOT NULL, acknowledged BIGINT NOT NULL,
    due BIGINT NOT NULL, tries BIGINT NOT NULL, pending TEXT, pending_version BIGINT,
    PRIMARY KEY (player, game));
CREATE TABLE board_mail_progress (shard BIGINT PRIMARY KEY, position BIGINT NOT NULL, leaf TEXT NOT NULL);
CREATE TABLE receipt_progress (shard BIGINT PRIMARY KEY, position BIGINT NOT NULL, leaf TEXT NOT NULL);
CREATE TABLE webhooks (
    id TEXT PRIMARY KEY, player TEXT NOT NULL, url TEXT NOT NULL, kinds TEXT NOT NULL, game TEXT,
    created BIGINT NOT NULL, generation BIGINT NOT NULL, number BIGINT NOT NULL, seen TEXT NOT NULL,
    notes BIGINT NOT NULL, due BIGINT NOT NULL, tries BIGINT NOT NULL, failing BIGINT, failure TEXT,
    ended BIGINT);
CREATE INDEX webhooks_of_player ON webhooks (player);
CREATE INDEX webhooks_due ON webhooks (due) WHERE ended IS NULL;
INSERT INTO mails VALUES (7, 'p_1', 'ann@example.net', 'Confirm your e-mail address', 'Your code: 12345678', 5000, 2);
INSERT INTO mail_answers VALUES
    ('reply1', 'p_1', 'ann@example.net', 'bounce@cards.example.org', 'To: ann@example.net', 6000, 1, 4000),
    ('reply2', 'p_1', '', 'bounce@cards.example.org', NULL, 3000, 1, 2000),
    ('reply3', '', 'eve@example.net', '', 'To: eve@example.net', 9500, 0, 9400);
INSERT INTO board_mails VALUES
    ('p_1', 'g_1', 12, 'turn', 7000), ('p_1', 'g_1', 14, 'over', 8000), ('p_2', 'g_1', 3, 'turn', 7600),
    ('p_3', 'g_1', 3, 'turn', 7600);
INSERT INTO board_mail_places VALUES
    ('p_1', 'g_1', 9, 10, 7500, 3, 'To: ann@example.net', 12), ('p_1', 'g_2', 40, 41, 900, 0, NULL, NULL),
    ('p_2', 'g_1', -1, 0, 8000, 11, NULL, NULL), ('p_3', 'g_1', -1, 0, 60000, 0, 'To: cat@example.net', 3);
INSERT INTO board_mail_progress VALUES (-1, 55, ''), (0, 120, 'aa');
INSERT INTO receipt_progress VALUES (0, 110, 'bb');
INSERT INTO webhooks VALUES
    ('w_1', 'p_1', 'https://bot.example/1', '[]', NULL, 100, 3, 17, '2026-01-01T00:00:00.000000Z', 5, 900, 0, NULL, NULL,
        NULL),
    ('w_2', 'p_1', 'https://bot.example/2', '["turn"]', 'g_1', 200, 3, 15, '2026-01-01T00:00:00.000000Z', 5, 9000, 4,
        800, 'the answer was 500', NULL),
    ('w_3', 'p_1', 'https://bot.example/3', '[]', NULL, 300, 3, 2, '2026-01-01T00:00:00.000000Z', 5, 700, 9, 600,
        'the answer was 410', 700);
