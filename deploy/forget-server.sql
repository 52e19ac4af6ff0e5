-- Deletes everything that is stored about one Telegram group or Discord server.
-- docs/hosting.md, "Deleting a group or server", explains how to use it. `sqlite3 -bail` and
-- `psql -v ON_ERROR_STOP=1` stop at the first error, and then delete nothing.
-- Before you run it, replace the platform and the id in this line:
CREATE TEMPORARY TABLE gone AS SELECT id FROM server WHERE platform = 'telegram' AND ref = '-1001234567890';

-- With 0, the platform or the id is wrong, and nothing is deleted.
SELECT 'groups or servers found: ' || count(*) FROM gone;

BEGIN;

CREATE TEMPORARY TABLE gone_table AS SELECT id FROM card_table WHERE server_id IN (SELECT id FROM gone);
CREATE TEMPORARY TABLE gone_card_game AS SELECT id FROM card_game WHERE server_id IN (SELECT id FROM gone);
CREATE TEMPORARY TABLE gone_cup AS SELECT id FROM cup WHERE server_id IN (SELECT id FROM gone);

-- Games, and what belongs to them.
DELETE FROM bet WHERE table_id IN (SELECT id FROM gone_table);
DELETE FROM title WHERE server_id IN (SELECT id FROM gone);
DELETE FROM result WHERE server_id IN (SELECT id FROM gone);
DELETE FROM replay_link WHERE table_id IN (SELECT id FROM gone_table);
DELETE FROM message_slot WHERE table_id IN (SELECT id FROM gone_table);
DELETE FROM snapshot WHERE table_id IN (SELECT id FROM gone_table);
DELETE FROM entry WHERE table_id IN (SELECT id FROM gone_table);
DELETE FROM seat WHERE table_id IN (SELECT id FROM gone_table);
DELETE FROM card_table WHERE server_id IN (SELECT id FROM gone);

-- Games with real cards, and cups.
DELETE FROM card_entry WHERE server_id IN (SELECT id FROM gone);
DELETE FROM card_seat WHERE card_game_id IN (SELECT id FROM gone_card_game);
DELETE FROM card_game WHERE server_id IN (SELECT id FROM gone);
DELETE FROM cup_entrant WHERE cup_id IN (SELECT id FROM gone_cup);
DELETE FROM cup WHERE server_id IN (SELECT id FROM gone);

DELETE FROM outdated WHERE (subject, number) IN (
    SELECT subject, number FROM feature_message WHERE server_id IN (SELECT id FROM gone)
);
DELETE FROM feature_message WHERE server_id IN (SELECT id FROM gone);

-- Statistics.
DELETE FROM tally WHERE server_id IN (SELECT id FROM gone);
DELETE FROM month_tally WHERE server_id IN (SELECT id FROM gone);
DELETE FROM month_games WHERE server_id IN (SELECT id FROM gone);
DELETE FROM duel WHERE server_id IN (SELECT id FROM gone);
DELETE FROM year_duel WHERE server_id IN (SELECT id FROM gone);

-- The group or server itself.
DELETE FROM appointment WHERE server_id IN (SELECT id FROM gone);
DELETE FROM badge WHERE server_id IN (SELECT id FROM gone);
DELETE FROM call WHERE server_id IN (SELECT id FROM gone);
DELETE FROM nickname WHERE server_id IN (SELECT id FROM gone);
DELETE FROM ring WHERE server_id IN (SELECT id FROM gone);
DELETE FROM server_choice WHERE server_id IN (SELECT id FROM gone);
DELETE FROM variation WHERE server_id IN (SELECT id FROM gone);
DELETE FROM wearer WHERE server_id IN (SELECT id FROM gone);
DELETE FROM server WHERE id IN (SELECT id FROM gone);

COMMIT;
