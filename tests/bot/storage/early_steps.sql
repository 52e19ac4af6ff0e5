-- What step 0101 did in each of its earlier forms: one after the other was added to it, after databases had gone
-- through those before. The last form is the one that stands.

-- form 1
ALTER TABLE server ADD COLUMN quiet VARCHAR DEFAULT '' NOT NULL;
ALTER TABLE server ADD COLUMN worn VARCHAR DEFAULT '' NOT NULL;
ALTER TABLE server ADD COLUMN week VARCHAR DEFAULT '' NOT NULL;
ALTER TABLE server ADD COLUMN puzzle VARCHAR DEFAULT '' NOT NULL;
ALTER TABLE server ADD COLUMN home VARCHAR DEFAULT '' NOT NULL;
ALTER TABLE server ADD COLUMN home_topic VARCHAR DEFAULT '' NOT NULL;
CREATE TABLE appointment (
    server_id INTEGER NOT NULL,
    kind VARCHAR NOT NULL,
    about VARCHAR NOT NULL,
    at FLOAT NOT NULL,
    room VARCHAR NOT NULL,
    topic VARCHAR NOT NULL,
    CONSTRAINT pk_appointment PRIMARY KEY (server_id, kind, about),
    CONSTRAINT fk_appointment_server_id_server FOREIGN KEY(server_id) REFERENCES server (id)
);
CREATE INDEX ix_appointment_at ON appointment (at);

-- form 2
ALTER TABLE server ADD COLUMN cards VARCHAR DEFAULT '' NOT NULL;
CREATE TABLE card_game (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    server_id INTEGER NOT NULL,
    batch INTEGER NOT NULL,
    played_at FLOAT NOT NULL,
    entered_at FLOAT NOT NULL,
    entered_by INTEGER NOT NULL,
    players INTEGER NOT NULL,
    counts BOOLEAN NOT NULL,
    CONSTRAINT fk_card_game_server_id_server FOREIGN KEY(server_id) REFERENCES server (id),
    CONSTRAINT fk_card_game_entered_by_player FOREIGN KEY(entered_by) REFERENCES player (id)
);
CREATE INDEX ix_card_game_batch ON card_game (batch);
CREATE INDEX ix_card_game_server_id_played_at ON card_game (server_id, played_at);
CREATE TABLE card_seat (
    card_game_id INTEGER NOT NULL,
    player_id INTEGER NOT NULL,
    is_fool BOOLEAN NOT NULL,
    CONSTRAINT pk_card_seat PRIMARY KEY (card_game_id, player_id),
    CONSTRAINT fk_card_seat_card_game_id_card_game FOREIGN KEY(card_game_id) REFERENCES card_game (id),
    CONSTRAINT fk_card_seat_player_id_player FOREIGN KEY(player_id) REFERENCES player (id)
) WITHOUT ROWID;
CREATE INDEX ix_card_seat_player_id ON card_seat (player_id);

-- form 3
CREATE TABLE puzzle (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    state VARCHAR NOT NULL,
    line VARCHAR NOT NULL,
    played_at FLOAT NOT NULL,
    day INTEGER,
    CONSTRAINT uq_puzzle_state UNIQUE (state),
    CONSTRAINT uq_puzzle_day UNIQUE (day)
);
CREATE TABLE puzzle_answer (
    player_id INTEGER NOT NULL,
    puzzle_id INTEGER NOT NULL,
    at FLOAT NOT NULL,
    is_right BOOLEAN NOT NULL,
    CONSTRAINT pk_puzzle_answer PRIMARY KEY (player_id, puzzle_id),
    CONSTRAINT fk_puzzle_answer_player_id_player FOREIGN KEY(player_id) REFERENCES player (id),
    CONSTRAINT fk_puzzle_answer_puzzle_id_puzzle FOREIGN KEY(puzzle_id) REFERENCES puzzle (id)
) WITHOUT ROWID;

-- form 4
CREATE INDEX ix_card_table_room ON card_table (server_id, room, topic);
CREATE INDEX ix_card_table_opener_id ON card_table (opener_id);

-- form 5
CREATE TABLE call (
    player_id INTEGER NOT NULL,
    server_id INTEGER NOT NULL,
    room VARCHAR NOT NULL,
    topic VARCHAR NOT NULL,
    until FLOAT NOT NULL,
    table_id INTEGER NOT NULL,
    game INTEGER NOT NULL,
    CONSTRAINT pk_call PRIMARY KEY (player_id, server_id, room, topic),
    CONSTRAINT fk_call_player_id_player FOREIGN KEY(player_id) REFERENCES player (id),
    CONSTRAINT fk_call_server_id_server FOREIGN KEY(server_id) REFERENCES server (id)
);

-- form 6
CREATE TABLE badge (
    server_id INTEGER NOT NULL,
    badge VARCHAR NOT NULL,
    admin_id INTEGER,
    told VARCHAR NOT NULL,
    CONSTRAINT pk_badge PRIMARY KEY (server_id),
    CONSTRAINT fk_badge_server_id_server FOREIGN KEY(server_id) REFERENCES server (id),
    CONSTRAINT fk_badge_admin_id_player FOREIGN KEY(admin_id) REFERENCES player (id)
);
CREATE TABLE wearer (
    server_id INTEGER NOT NULL,
    player_id INTEGER NOT NULL,
    mark VARCHAR NOT NULL,
    "before" VARCHAR NOT NULL,
    former VARCHAR NOT NULL,
    is_done BOOLEAN NOT NULL,
    CONSTRAINT pk_wearer PRIMARY KEY (server_id, player_id),
    CONSTRAINT fk_wearer_server_id_server FOREIGN KEY(server_id) REFERENCES server (id),
    CONSTRAINT fk_wearer_player_id_player FOREIGN KEY(player_id) REFERENCES player (id)
);

-- form 7
ALTER TABLE server ADD COLUMN titles VARCHAR DEFAULT '' NOT NULL;

-- form 8
ALTER TABLE player ADD COLUMN calling VARCHAR DEFAULT '' NOT NULL;
ALTER TABLE player ADD COLUMN company BOOLEAN DEFAULT 0 NOT NULL;
ALTER TABLE player ADD COLUMN one_tap BOOLEAN DEFAULT 0 NOT NULL;
UPDATE player SET calling = 'never' WHERE NOT private_messages;
ALTER TABLE player DROP COLUMN private_messages;

-- form 9
ALTER TABLE card_table ADD COLUMN starts_at FLOAT;

-- form 10
ALTER TABLE player ADD COLUMN wears_mark BOOLEAN DEFAULT 1 NOT NULL;

-- form 11
ALTER TABLE card_table ADD COLUMN has_called BOOLEAN DEFAULT 0 NOT NULL;

-- form 12
CREATE TABLE month_tally (
    server_id INTEGER NOT NULL,
    month INTEGER NOT NULL,
    player_id INTEGER NOT NULL,
    games INTEGER NOT NULL,
    fools INTEGER NOT NULL,
    draws INTEGER NOT NULL,
    first_out INTEGER NOT NULL,
    expected FLOAT NOT NULL,
    epaulettes INTEGER NOT NULL,
    points INTEGER NOT NULL,
    CONSTRAINT pk_month_tally PRIMARY KEY (server_id, month, player_id),
    CONSTRAINT fk_month_tally_server_id_server FOREIGN KEY(server_id) REFERENCES server (id),
    CONSTRAINT fk_month_tally_player_id_player FOREIGN KEY(player_id) REFERENCES player (id)
) WITHOUT ROWID;
CREATE TABLE month_games (
    server_id INTEGER NOT NULL,
    month INTEGER NOT NULL,
    trump VARCHAR NOT NULL,
    games INTEGER NOT NULL,
    bouts INTEGER NOT NULL,
    seconds FLOAT NOT NULL,
    CONSTRAINT pk_month_games PRIMARY KEY (server_id, month, trump),
    CONSTRAINT fk_month_games_server_id_server FOREIGN KEY(server_id) REFERENCES server (id)
) WITHOUT ROWID;
CREATE TABLE year_duel (
    server_id INTEGER NOT NULL,
    year INTEGER NOT NULL,
    one_id INTEGER NOT NULL,
    other_id INTEGER NOT NULL,
    games INTEGER NOT NULL,
    one_fools INTEGER NOT NULL,
    other_fools INTEGER NOT NULL,
    decided INTEGER NOT NULL,
    CONSTRAINT pk_year_duel PRIMARY KEY (server_id, year, one_id, other_id),
    CONSTRAINT fk_year_duel_server_id_server FOREIGN KEY(server_id) REFERENCES server (id),
    CONSTRAINT fk_year_duel_one_id_player FOREIGN KEY(one_id) REFERENCES player (id),
    CONSTRAINT fk_year_duel_other_id_player FOREIGN KEY(other_id) REFERENCES player (id)
) WITHOUT ROWID;
CREATE INDEX ix_year_duel_server_id_year_decided ON year_duel (server_id, year, decided);

-- form 13
ALTER TABLE server ADD COLUMN home_by VARCHAR DEFAULT '' NOT NULL;
ALTER TABLE server ADD COLUMN home_closed VARCHAR DEFAULT '' NOT NULL;

-- form 14
ALTER TABLE seat ADD COLUMN kept_until FLOAT DEFAULT '0' NOT NULL;

-- form 15
ALTER TABLE server ADD COLUMN pins VARCHAR DEFAULT '' NOT NULL;
ALTER TABLE server ADD COLUMN pins_by VARCHAR DEFAULT '' NOT NULL;
ALTER TABLE message_slot ADD COLUMN is_pinned BOOLEAN DEFAULT 0 NOT NULL;

-- form 16
ALTER TABLE result ADD COLUMN strength VARCHAR DEFAULT '' NOT NULL;
ALTER TABLE result ADD COLUMN most_held INTEGER DEFAULT '0' NOT NULL;
