-- A database as version 0.2.0 would leave it, with rows and texts of 22 November 2026, killed in the middle of a game:
-- on the chat page, Anna and Boris have played a game in the room main and are playing the next one, and sit in a
-- lobby in the room kitchen. `now()` is the moment of the kill.
BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0100');
CREATE TABLE card_table (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	server_id INTEGER NOT NULL, 
	room VARCHAR NOT NULL, 
	topic VARCHAR NOT NULL, 
	opener_id INTEGER NOT NULL, 
	preset VARCHAR NOT NULL, 
	rules VARCHAR NOT NULL, 
	house_rules VARCHAR, 
	seed VARCHAR NOT NULL, 
	opened_at FLOAT NOT NULL, 
	changed_at FLOAT NOT NULL, 
	shown_at FLOAT, 
	due_at FLOAT, 
	phase VARCHAR NOT NULL, 
	game INTEGER NOT NULL, 
	auto_done BOOLEAN NOT NULL, 
	clock INTEGER NOT NULL, 
	strength VARCHAR NOT NULL, 
	is_paused BOOLEAN NOT NULL, 
	hints BOOLEAN NOT NULL, 
	stopped VARCHAR NOT NULL, 
	locale VARCHAR NOT NULL, 
	CONSTRAINT fk_card_table_opener_id FOREIGN KEY(opener_id) REFERENCES player (id), 
	CONSTRAINT fk_card_table_server_id FOREIGN KEY(server_id) REFERENCES server (id)
);
INSERT INTO "card_table" VALUES(1,1,'main','',2,'podkidnoy-24','podkidnoy-36 deck=24 max_players=4 hand_size=12 throw_in=none',NULL,'2ff26e3a10049126afd67b1009767912',now() - 23.322,now() - 12.255,NULL,NULL,'playing',2,1,120,'regular',0,1,'','en');
INSERT INTO "card_table" VALUES(2,1,'kitchen','',1,'mine','podkidnoy-36 hand_size=4 transfer=on','podkidnoy-36 hand_size=4 transfer=on','81821aca00243c604d2bdbf3e913f088',now() - 4.550,now() - 4.190,NULL,NULL,'lobby',1,1,120,'regular',0,1,'','en');
CREATE TABLE duel (
	server_id INTEGER NOT NULL, 
	one_id INTEGER NOT NULL, 
	other_id INTEGER NOT NULL, 
	games INTEGER NOT NULL, 
	one_fools INTEGER NOT NULL, 
	other_fools INTEGER NOT NULL, 
	decided INTEGER NOT NULL, 
	CONSTRAINT pk_duel PRIMARY KEY (server_id, one_id, other_id), 
	CONSTRAINT fk_duel_one_id FOREIGN KEY(one_id) REFERENCES player (id), 
	CONSTRAINT fk_duel_other_id FOREIGN KEY(other_id) REFERENCES player (id), 
	CONSTRAINT fk_duel_server_id FOREIGN KEY(server_id) REFERENCES server (id)
);
CREATE TABLE entry (
	table_id INTEGER NOT NULL, 
	version INTEGER NOT NULL, 
	game INTEGER NOT NULL, 
	seat INTEGER, 
	text VARCHAR NOT NULL, 
	author VARCHAR, 
	at FLOAT NOT NULL, 
	CONSTRAINT pk_entry PRIMARY KEY (table_id, version), 
	CONSTRAINT fk_entry_table_id FOREIGN KEY(table_id) REFERENCES card_table (id)
)
 WITHOUT ROWID

;
INSERT INTO "entry" VALUES(1,1,1,NULL,'players=2 dealer=1 seed=f3513111495342c35b8822eec6e0447e salt=e0c3a7823ee43773ed15305dbb2ea97e edition=2 shuffle=2 contributions=b086928f537b3e0ff9c8d6e407790addd3669f2141cffd5d192984b1c6d07dd5:e800f77bf6824662cd094a1e775ec3018521cf6b28ef2268307214fd1f5b3461,b92b72e68ec573578d7123a92d6113d81a6ecf553d03187d4098ac7da550fdf3:2fddcc580ba0a79557c8d181028c0b5e9708b2bb0818df562e4c53879dfaf86c rules: podkidnoy-36 deck=24 max_players=4 hand_size=12 throw_in=none',NULL,now() - 23.025);
INSERT INTO "entry" VALUES(1,2,1,0,'A TD','p',now() - 22.852);
INSERT INTO "entry" VALUES(1,3,1,1,'D TD AD','p',now() - 22.507);
INSERT INTO "entry" VALUES(1,4,1,1,'A AS','p',now() - 22.255);
INSERT INTO "entry" VALUES(1,5,1,0,'D AS TH','p',now() - 22.062);
INSERT INTO "entry" VALUES(1,6,1,0,'A 9H','p',now() - 21.953);
INSERT INTO "entry" VALUES(1,7,1,1,'D 9H QH','p',now() - 21.553);
INSERT INTO "entry" VALUES(1,8,1,1,'A QC','p',now() - 21.260);
INSERT INTO "entry" VALUES(1,9,1,0,'D QC KC','p',1795333156.62315);
INSERT INTO "entry" VALUES(1,10,1,0,'A KS','p',now() - 19.887);
INSERT INTO "entry" VALUES(1,11,1,1,'D KS KH','p',now() - 19.199);
INSERT INTO "entry" VALUES(1,12,1,1,'A 9C','p',now() - 19.051);
INSERT INTO "entry" VALUES(1,13,1,0,'D 9C TC','p',now() - 18.976);
INSERT INTO "entry" VALUES(1,14,1,0,'A JD','p',now() - 18.901);
INSERT INTO "entry" VALUES(1,15,1,1,'D JD JH','p',now() - 18.699);
INSERT INTO "entry" VALUES(1,16,1,1,'A AH','p',now() - 18.353);
INSERT INTO "entry" VALUES(1,17,1,0,'T','p',now() - 17.389);
INSERT INTO "entry" VALUES(1,18,1,1,'A QS','p',now() - 17.001);
INSERT INTO "entry" VALUES(1,19,1,0,'D QS AH','p',now() - 16.512);
INSERT INTO "entry" VALUES(1,20,1,0,'A QD','p',now() - 16.000);
INSERT INTO "entry" VALUES(1,21,1,1,'T','p',now() - 15.686);
INSERT INTO "entry" VALUES(1,22,1,0,'A 9S','p',now() - 15.108);
INSERT INTO "entry" VALUES(1,23,1,1,'D 9S JS','p',now() - 14.502);
INSERT INTO "entry" VALUES(1,24,1,1,'A AC','p',now() - 14.416);
INSERT INTO "entry" VALUES(1,25,1,0,'T','p',now() - 14.289);
INSERT INTO "entry" VALUES(1,26,1,1,'A QD','p',now() - 14.209);
INSERT INTO "entry" VALUES(1,27,1,0,'D QD KD','p',now() - 13.904);
INSERT INTO "entry" VALUES(1,28,1,0,'A AC','p',now() - 13.394);
INSERT INTO "entry" VALUES(1,29,1,1,'T','p',now() - 13.236);
INSERT INTO "entry" VALUES(1,30,1,0,'A JC','p',now() - 13.134);
INSERT INTO "entry" VALUES(1,31,1,1,'D JC AC','p',now() - 12.893);
INSERT INTO "entry" VALUES(1,32,1,1,'A TS','p',now() - 12.743);
INSERT INTO "entry" VALUES(1,33,1,0,'T','p',now() - 12.491);
INSERT INTO "entry" VALUES(1,34,2,NULL,'players=2 dealer=0 seed=2ff26e3a10049126afd67b1009767912 salt=bff9c3a8e83cbd12bbe05cb4e5223a1f starters=1 edition=2 shuffle=2 contributions=0bd3794752fa349660471efa20284589f54fa8da9e443dee95d4dff7e58ea45a:a0f5949ca1bfe4e54f5254b483a2165a24fc15f4ed05ba11582087dc7868aa76,2feaa64283e083de82d0388b60c3d756c55d5826eda69f6db951547698b8c9b4:ab4fe88c6670e7a5f192636a67f32a5631c0e22a02c87fe2a45ffe533cda90f0 rules: podkidnoy-36 deck=24 max_players=4 hand_size=12 throw_in=none',NULL,now() - 12.267);
INSERT INTO "entry" VALUES(1,35,2,1,'A 9D','p',now() - 10.186);
INSERT INTO "entry" VALUES(1,36,2,0,'D 9D JD','p',now() - 10.009);
INSERT INTO "entry" VALUES(1,37,2,0,'A TD','p',now() - 9.667);
INSERT INTO "entry" VALUES(1,38,2,1,'D TD AD','p',now() - 9.183);
INSERT INTO "entry" VALUES(1,39,2,1,'A TS','p',now() - 8.654);
CREATE TABLE guest (
	id VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	secret_hash VARCHAR NOT NULL, 
	joined_at FLOAT NOT NULL, 
	seen_at FLOAT NOT NULL, 
	is_owner BOOLEAN NOT NULL, 
	CONSTRAINT pk_guest PRIMARY KEY (id), 
	CONSTRAINT uq_guest_secret_hash UNIQUE (secret_hash)
);
INSERT INTO "guest" VALUES('87434fe377ad1572','Anna','4f6ef960b99725d52ff2c67d75c9b46fbdff33a6e16eb4118ee53d0295eb85f5',now() - 28.595,now() - 28.595,1);
INSERT INTO "guest" VALUES('829625643669025b','Boris','e303173477dbd645314f4ce185274435c2efa987a29072782e07ab569bee8ed2',now() - 25.912,now() - 25.912,0);
CREATE TABLE message (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	room VARCHAR NOT NULL, 
	guest_id VARCHAR, 
	kind VARCHAR NOT NULL, 
	content JSON NOT NULL, 
	posted_at FLOAT NOT NULL, 
	"key" VARCHAR
);
INSERT INTO "message" VALUES(1,'main',NULL,'post','{"body": [{"text": "Settings", "mark": "bold"}, {"text": "\n\n", "mark": "plain"}, {"text": "/durak without a name plays ", "mark": "plain"}, {"text": "podkidnoy-36", "mark": "bold"}, {"text": ".", "mark": "plain"}, {"text": "\n\n", "mark": "plain"}, {"text": "No variations have been saved here.", "mark": "plain"}, {"text": "\n\n", "mark": "plain"}, {"text": "Language: ", "mark": "plain"}, {"text": "of who asks", "mark": "plain"}, {"text": " \u00b7 time zone: ", "mark": "plain"}, {"text": "UTC", "mark": "plain"}, {"text": " \u00b7 view: ", "mark": "plain"}, {"text": "text", "mark": "plain"}, {"text": " \u00b7 style: ", "mark": "plain"}, {"text": "dark", "mark": "plain"}, {"text": "\n\n", "mark": "plain"}, {"text": "For admins: /settings default NAME \u00b7 /settings save NAME keeps the rules of the table that stands here, or those you type after it \u00b7 /settings delete NAME \u00b7 /settings language CODE \u00b7 /settings timezone ZONE \u00b7 /settings view text \u00b7 /settings style light", "mark": "italic"}], "rows": [], "picture": null, "asked": {"name": "Anna", "text": "/settings view text"}}',now() - 24.694,NULL);
INSERT INTO "message" VALUES(2,'main',NULL,'post','{"body": [{"text": "Settings", "mark": "bold"}, {"text": "\n\n", "mark": "plain"}, {"text": "/durak without a name plays ", "mark": "plain"}, {"text": "podkidnoy-36", "mark": "bold"}, {"text": ".", "mark": "plain"}, {"text": "\n\n", "mark": "plain"}, {"text": "No variations have been saved here.", "mark": "plain"}, {"text": "\n\n", "mark": "plain"}, {"text": "Language: ", "mark": "plain"}, {"text": "of who asks", "mark": "plain"}, {"text": " \u00b7 time zone: ", "mark": "plain"}, {"text": "Europe/Vilnius", "mark": "plain"}, {"text": " \u00b7 view: ", "mark": "plain"}, {"text": "text", "mark": "plain"}, {"text": " \u00b7 style: ", "mark": "plain"}, {"text": "dark", "mark": "plain"}, {"text": "\n\n", "mark": "plain"}, {"text": "For admins: /settings default NAME \u00b7 /settings save NAME keeps the rules of the table that stands here, or those you type after it \u00b7 /settings delete NAME \u00b7 /settings language CODE \u00b7 /settings timezone ZONE \u00b7 /settings view text \u00b7 /settings style light", "mark": "italic"}], "rows": [], "picture": null, "asked": {"name": "Anna", "text": "/settings timezone Europe/Vilnius"}}',now() - 24.158,NULL);
INSERT INTO "message" VALUES(3,'main',NULL,'post','{"body": [{"text": "Settings", "mark": "bold"}, {"text": "\n\n", "mark": "plain"}, {"text": "/durak without a name plays ", "mark": "plain"}, {"text": "podkidnoy-36", "mark": "bold"}, {"text": ".", "mark": "plain"}, {"text": "\n\n", "mark": "plain"}, {"text": "Saved here", "mark": "bold"}, {"text": "\n", "mark": "plain"}, {"text": "\u2022 mine: ", "mark": "plain"}, {"text": "podkidnoy-36 hand_size=4 transfer=on", "mark": "code"}, {"text": "\n\n", "mark": "plain"}, {"text": "Language: ", "mark": "plain"}, {"text": "of who asks", "mark": "plain"}, {"text": " \u00b7 time zone: ", "mark": "plain"}, {"text": "Europe/Vilnius", "mark": "plain"}, {"text": " \u00b7 view: ", "mark": "plain"}, {"text": "text", "mark": "plain"}, {"text": " \u00b7 style: ", "mark": "plain"}, {"text": "dark", "mark": "plain"}, {"text": "\n\n", "mark": "plain"}, {"text": "For admins: /settings default NAME \u00b7 /settings save NAME keeps the rules of the table that stands here, or those you type after it \u00b7 /settings delete NAME \u00b7 /settings language CODE \u00b7 /settings timezone ZONE \u00b7 /settings view text \u00b7 /settings style light", "mark": "italic"}], "rows": [], "picture": null, "asked": {"name": "Anna", "text": "/settings save mine transfer=on hand_size=4"}}',now() - 23.792,NULL);
INSERT INTO "message" VALUES(4,'main',NULL,'post','{"body": [{"text": "Durak \u00b7 podkidnoy-24 \u00b7 game 1", "mark": "bold"}, {"text": "\n\n", "mark": "plain"}, {"text": "Trump ", "mark": "plain"}, {"text": "\u2665", "mark": "bold"}, {"text": " \u00b7 talon ", "mark": "plain"}, {"text": "0", "mark": "plain"}, {"text": " \u00b7 discard ", "mark": "plain"}, {"text": "22", "mark": "plain"}, {"text": "\n", "mark": "plain"}, {"text": "\n", "mark": "plain"}, {"text": "\ud83d\udee1 ", "mark": "plain"}, {"text": "Anna", "mark": "bold"}, {"text": " \u00b7 1", "mark": "plain"}, {"text": "\n", "mark": "plain"}, {"text": "\u2694\ufe0f ", "mark": "plain"}, {"text": "Boris", "mark": "plain"}, {"text": " \u00b7 0", "mark": "plain"}, {"text": "\n\n", "mark": "plain"}, {"text": "On the table", "mark": "bold"}, {"text": "\n", "mark": "plain"}, {"text": "  ", "mark": "plain"}, {"text": "10\u2660", "mark": "bold"}, {"text": " \u2190 \u2026", "mark": "plain"}, {"text": "\n\n", "mark": "plain"}, {"text": "Boris", "mark": "plain"}, {"text": " beat everything off (", "mark": "plain"}, {"text": "2 cards", "mark": "plain"}, {"text": ").", "mark": "plain"}, {"text": "\n\n", "mark": "plain"}, {"text": "Anna", "mark": "bold"}, {"text": " defends.", "mark": "plain"}, {"text": "\n\n", "mark": "plain"}, {"text": "Seal of the deal: ", "mark": "plain"}, {"text": "591829d0064b38024b2b3e30907edc1d", "mark": "code"}], "rows": [[{"token": "h:1", "label": "My hand", "tone": "primary", "enabled": true}, {"token": "t:1:1:open", "label": "Host", "tone": "neutral", "enabled": true}]], "picture": null}',now() - 23.261,'153b64169ca4148c');
INSERT INTO "message" VALUES(5,'main','87434fe377ad1572','post','{"body": [{"text": "\ud83c\udccf You are the fool!", "mark": "bold"}, {"text": "\n\n", "mark": "plain"}, {"text": "Game 1 is over.", "mark": "plain", "link": "4"}], "rows": [], "picture": null}',now() - 22.965,'bf1f5f85b1c239a8');
INSERT INTO "message" VALUES(6,'main','829625643669025b','post','{"body": [{"text": "\ud83c\udccf ", "mark": "bold"}, {"text": "Anna", "mark": "bold"}, {"text": " ist der Durak!", "mark": "bold"}, {"text": "\n", "mark": "plain"}, {"text": "Dein Platz: ", "mark": "plain"}, {"text": "1", "mark": "plain"}, {"text": " von ", "mark": "plain"}, {"text": "2", "mark": "plain"}, {"text": "\n\n", "mark": "plain"}, {"text": "Spiel 1 ist vorbei.", "mark": "plain", "link": "4"}], "rows": [], "picture": null}',1795333153.94274,'51cb4d24a605765e');
INSERT INTO "message" VALUES(7,'main',NULL,'post','{"body": [{"text": "\ud83c\udccf ", "mark": "bold"}, {"text": "Anna", "mark": "bold"}, {"text": " is the fool!", "mark": "bold"}, {"text": "\n", "mark": "plain"}, {"text": "16 bouts \u00b7 1 minute", "mark": "plain"}, {"text": "\n\n", "mark": "plain"}, {"text": "Out in this order", "mark": "plain"}, {"text": "\n", "mark": "plain"}, {"text": "1. Boris", "mark": "plain"}, {"text": "\n\n", "mark": "plain"}, {"text": "Seed of the deal: ", "mark": "plain"}, {"text": "f3513111495342c35b8822eec6e0447e", "mark": "code"}, {"text": " \u00b7 /verify checks the deal and gives the record.", "mark": "plain"}, {"text": "\n\n", "mark": "plain"}, {"text": "/review looks back at your own moves.", "mark": "plain"}], "rows": [[{"token": "g:1:1:rematch", "label": "Rematch", "tone": "good", "enabled": true}, {"token": "g:1:1:leaderboard", "label": "Leaderboard", "tone": "neutral", "enabled": true}]], "picture": null}',now() - 12.429,'fdcefa7edaae4302');
INSERT INTO "message" VALUES(8,'main',NULL,'post','{"body": [{"text": "Durak \u00b7 podkidnoy-24 \u00b7 game 2", "mark": "bold"}, {"text": "\n\n", "mark": "plain"}, {"text": "Trump ", "mark": "plain"}, {"text": "10\u2665", "mark": "bold"}, {"text": " \u00b7 talon ", "mark": "plain"}, {"text": "0", "mark": "plain"}, {"text": " \u00b7 discard ", "mark": "plain"}, {"text": "4", "mark": "plain"}, {"text": "\n", "mark": "plain"}, {"text": "\n", "mark": "plain"}, {"text": "\ud83d\udee1 ", "mark": "plain"}, {"text": "Anna", "mark": "bold"}, {"text": " \u00b7 10", "mark": "plain"}, {"text": " \u00b7 \ud83d\udc41 10\u2665", "mark": "plain"}, {"text": "\n", "mark": "plain"}, {"text": "\u2694\ufe0f ", "mark": "plain"}, {"text": "Boris", "mark": "plain"}, {"text": " \u00b7 9", "mark": "plain"}, {"text": "\n\n", "mark": "plain"}, {"text": "On the table", "mark": "bold"}, {"text": "\n", "mark": "plain"}, {"text": "  ", "mark": "plain"}, {"text": "10\u2660", "mark": "bold"}, {"text": " \u2190 \u2026", "mark": "plain"}, {"text": "\n\n", "mark": "plain"}, {"text": "Boris", "mark": "plain"}, {"text": " beat everything off (", "mark": "plain"}, {"text": "2 cards", "mark": "plain"}, {"text": ").", "mark": "plain"}, {"text": "\n\n", "mark": "plain"}, {"text": "Anna", "mark": "bold"}, {"text": " defends.", "mark": "plain"}, {"text": "\n\n", "mark": "plain"}, {"text": "Seal of the deal: ", "mark": "plain"}, {"text": "9ec911bb8f34a2c977e5174685160dea", "mark": "code"}], "rows": [[{"token": "h:1", "label": "My hand", "tone": "primary", "enabled": true}, {"token": "t:1:2:open", "label": "Host", "tone": "neutral", "enabled": true}]], "picture": null}',now() - 12.327,'502514bf14d3c7e1');
INSERT INTO "message" VALUES(9,'main','87434fe377ad1572','post','{"body": [{"text": "\ud83d\udee1 You defend against ", "mark": "bold"}, {"text": "Boris", "mark": "bold"}, {"text": ".", "mark": "bold"}, {"text": "\n", "mark": "plain"}, {"text": "Trump ", "mark": "plain"}, {"text": "10\u2665", "mark": "bold"}, {"text": " \u00b7 talon ", "mark": "plain"}, {"text": "0", "mark": "plain"}, {"text": " \u00b7 discard ", "mark": "plain"}, {"text": "4", "mark": "plain"}, {"text": "\n\n", "mark": "plain"}, {"text": "On the table", "mark": "bold"}, {"text": "\n", "mark": "plain"}, {"text": "  ", "mark": "plain"}, {"text": "10\u2660", "mark": "bold"}, {"text": " \u2190 \u2026", "mark": "plain"}, {"text": "\n\n", "mark": "plain"}, {"text": "Your 10 cards", "mark": "bold"}, {"text": "\n", "mark": "plain"}, {"text": "9\u2663 Q\u2663 K\u2663 A\u2663 J\u2660 Q\u2660 9\u2665 10\u2665 Q\u2665 A\u2665", "mark": "plain"}], "rows": [[{"token": "m:1:39:D TS JS", "label": "J\u2660", "tone": "neutral", "enabled": true}, {"token": "m:1:39:D TS QS", "label": "Q\u2660", "tone": "neutral", "enabled": true}, {"token": "m:1:39:D TS 9H", "label": "9\u2665", "tone": "primary", "enabled": true}, {"token": "m:1:39:D TS TH", "label": "10\u2665", "tone": "primary", "enabled": true}], [{"token": "m:1:39:D TS QH", "label": "Q\u2665", "tone": "primary", "enabled": true}, {"token": "m:1:39:D TS AH", "label": "A\u2665", "tone": "primary", "enabled": true}], [{"token": "m:1:39:T", "label": "Take", "tone": "danger", "enabled": true}, {"token": "s:1:rank", "label": "\u21c5 By rank", "tone": "neutral", "enabled": true}, {"token": "i:1", "label": "\ud83d\udca1 Hint", "tone": "neutral", "enabled": true}, {"token": "q:1:2:ask", "label": "\ud83c\udff3\ufe0f Leave", "tone": "neutral", "enabled": true}]], "picture": null}',now() - 12.217,'b8ec3e4a8c358dc3');
INSERT INTO "message" VALUES(10,'main','829625643669025b','post','{"body": [{"text": "\u2694\ufe0f Du greifst ", "mark": "bold"}, {"text": "Anna", "mark": "bold"}, {"text": " an.", "mark": "bold"}, {"text": "\n", "mark": "plain"}, {"text": "Trumpf ", "mark": "plain"}, {"text": "10\u2665", "mark": "bold"}, {"text": " \u00b7 Talon ", "mark": "plain"}, {"text": "0", "mark": "plain"}, {"text": " \u00b7 Ablage ", "mark": "plain"}, {"text": "4", "mark": "plain"}, {"text": "\n\n", "mark": "plain"}, {"text": "Du hast 9 Karten", "mark": "bold"}, {"text": "\n", "mark": "plain"}, {"text": "9\u2660 10\u2663 B\u2663 D\u2666 K\u2666 K\u2660 A\u2660 B\u2665 K\u2665", "mark": "plain"}], "rows": [[{"token": "s:1:suit", "label": "\u21c5 Nach Farbe", "tone": "neutral", "enabled": true}, {"token": "q:1:2:ask", "label": "\ud83c\udff3\ufe0f Aussteigen", "tone": "neutral", "enabled": true}]], "picture": null}',now() - 12.204,'80d0f358428ef6e8');
INSERT INTO "message" VALUES(11,'kitchen',NULL,'post','{"body": [{"text": "Durak \u00b7 mine \u00b7 game 1", "mark": "bold"}, {"text": "\n\n", "mark": "plain"}, {"text": "Players 2 of 6", "mark": "bold"}, {"text": "\n", "mark": "plain"}, {"text": "\u2022 ", "mark": "plain"}, {"text": "Anna", "mark": "plain"}, {"text": " \u00b7 opened the table", "mark": "italic"}, {"text": "\n", "mark": "plain"}, {"text": "\u2022 ", "mark": "plain"}, {"text": "Boris", "mark": "plain"}, {"text": "\n\n", "mark": "plain"}, {"text": "Press Start when everybody is here.", "mark": "italic"}, {"text": "\n\n", "mark": "plain"}, {"text": "Seal of the deal: ", "mark": "plain"}, {"text": "985189c71478622316abc388d31700db", "mark": "code"}], "rows": [[{"token": "l:2:1:join", "label": "Join", "tone": "primary", "enabled": true}, {"token": "l:2:1:leave", "label": "Leave", "tone": "neutral", "enabled": true}], [{"token": "l:2:1:house", "label": "Add house player", "tone": "neutral", "enabled": true}], [{"token": "o:2:1:common", "label": "Settings", "tone": "neutral", "enabled": true}], [{"token": "l:2:1:start", "label": "Start", "tone": "good", "enabled": true}, {"token": "l:2:1:close", "label": "Close", "tone": "neutral", "enabled": true}]], "picture": null}',1795333172.51797,'07db83d41ad77932');
CREATE TABLE message_file (
	message_id INTEGER NOT NULL, 
	digest VARCHAR NOT NULL, 
	content BLOB NOT NULL, 
	CONSTRAINT pk_message_file PRIMARY KEY (message_id, digest), 
	CONSTRAINT fk_message_file_message_id FOREIGN KEY(message_id) REFERENCES message (id) ON DELETE CASCADE
);
CREATE TABLE message_slot (
	table_id INTEGER NOT NULL, 
	game INTEGER NOT NULL, 
	kind VARCHAR NOT NULL, 
	reader_platform VARCHAR NOT NULL, 
	reader VARCHAR NOT NULL, 
	platform VARCHAR NOT NULL, 
	message VARCHAR NOT NULL, 
	digest VARCHAR NOT NULL, 
	"key" VARCHAR NOT NULL, 
	CONSTRAINT pk_message_slot PRIMARY KEY (table_id, game, kind, reader_platform, reader), 
	CONSTRAINT fk_message_slot_table_id FOREIGN KEY(table_id) REFERENCES card_table (id)
)
 WITHOUT ROWID

;
INSERT INTO "message_slot" VALUES(1,1,'hand','web','829625643669025b','web','6','c72a4bd3f1928e8603899410b35fdc8a','');
INSERT INTO "message_slot" VALUES(1,1,'hand','web','87434fe377ad1572','web','5','be95e74242e8783343ebe559a2349af6','');
INSERT INTO "message_slot" VALUES(1,1,'result','','','web','7','356994bdd099d9397d25f0c1fffa9e8d','');
INSERT INTO "message_slot" VALUES(1,1,'table','','','web','4','c38a2a530d6ad8fe7ebf643c88a1c588','');
INSERT INTO "message_slot" VALUES(1,2,'hand','web','829625643669025b','web','10','31d7bbf1046fd137be972d7dc6f4d601','');
INSERT INTO "message_slot" VALUES(1,2,'hand','web','87434fe377ad1572','web','9','1f80c966c6763c711c5c77910dbb8f79','');
INSERT INTO "message_slot" VALUES(1,2,'table','','','web','8','50c2f7faed1ac94cf43e9a0e71d42f72','');
INSERT INTO "message_slot" VALUES(2,1,'table','','','web','11','3459d41732806539a8899debb862ca11','');
CREATE TABLE nickname (
	player_id INTEGER NOT NULL, 
	server_id INTEGER NOT NULL, 
	name VARCHAR NOT NULL, 
	CONSTRAINT pk_nickname PRIMARY KEY (player_id, server_id), 
	CONSTRAINT fk_nickname_player_id FOREIGN KEY(player_id) REFERENCES player (id), 
	CONSTRAINT fk_nickname_server_id FOREIGN KEY(server_id) REFERENCES server (id)
);
INSERT INTO "nickname" VALUES(1,1,'Anna');
INSERT INTO "nickname" VALUES(2,1,'Boris');
CREATE TABLE player (
	id INTEGER NOT NULL, 
	platform VARCHAR NOT NULL, 
	ref VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	locale VARCHAR NOT NULL, 
	language VARCHAR NOT NULL, 
	hand_order VARCHAR NOT NULL, 
	reachable BOOLEAN, 
	private_messages BOOLEAN NOT NULL, 
	CONSTRAINT pk_player PRIMARY KEY (id), 
	CONSTRAINT uq_player_platform_ref UNIQUE (platform, ref)
);
INSERT INTO "player" VALUES(1,'web','87434fe377ad1572','Anna','en','','suit',1,1);
INSERT INTO "player" VALUES(2,'web','829625643669025b','Boris','en','de','',1,1);
CREATE TABLE result (
	table_id INTEGER NOT NULL, 
	game INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	server_id INTEGER NOT NULL, 
	player_id INTEGER, 
	players INTEGER NOT NULL, 
	people INTEGER NOT NULL, 
	losers INTEGER NOT NULL, 
	place INTEGER, 
	is_loser BOOLEAN NOT NULL, 
	is_draw BOOLEAN NOT NULL, 
	points INTEGER NOT NULL, 
	epaulettes INTEGER NOT NULL, 
	finished_at FLOAT NOT NULL, 
	trump VARCHAR NOT NULL, 
	bouts INTEGER NOT NULL, 
	seconds FLOAT NOT NULL, 
	rating_change FLOAT, 
	CONSTRAINT pk_result PRIMARY KEY (table_id, game, seat), 
	CONSTRAINT fk_result_player_id FOREIGN KEY(player_id) REFERENCES player (id), 
	CONSTRAINT fk_result_server_id FOREIGN KEY(server_id) REFERENCES server (id), 
	CONSTRAINT fk_result_table_id FOREIGN KEY(table_id) REFERENCES card_table (id)
);
INSERT INTO "result" VALUES(1,1,0,1,1,2,2,1,NULL,1,0,0,0,now() - 12.491,'H',16,10.5,NULL);
INSERT INTO "result" VALUES(1,1,1,1,2,2,2,1,1,0,0,0,0,now() - 12.491,'H',16,10.5,NULL);
CREATE TABLE seat (
	table_id INTEGER NOT NULL, 
	of_game INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	player_id INTEGER, 
	name VARCHAR NOT NULL, 
	joined VARCHAR NOT NULL, 
	has_left BOOLEAN NOT NULL, 
	CONSTRAINT pk_seat PRIMARY KEY (table_id, of_game, seat), 
	CONSTRAINT fk_seat_player_id FOREIGN KEY(player_id) REFERENCES player (id), 
	CONSTRAINT fk_seat_table_id FOREIGN KEY(table_id) REFERENCES card_table (id)
)
 WITHOUT ROWID

;
INSERT INTO "seat" VALUES(1,1,0,1,'Anna','156bbc4080ccd89a2af6ae984c4fda91',0);
INSERT INTO "seat" VALUES(1,1,1,2,'Boris','1c0b37e06464a5346c30f23d75cd1a6d',0);
INSERT INTO "seat" VALUES(1,2,0,1,'Anna','156bbc4080ccd89a2af6ae984c4fda91',0);
INSERT INTO "seat" VALUES(1,2,1,2,'Boris','1c0b37e06464a5346c30f23d75cd1a6d',0);
INSERT INTO "seat" VALUES(2,1,0,1,'Anna','2c7270536c702fdf0387c55faccb3a99',0);
INSERT INTO "seat" VALUES(2,1,1,2,'Boris','2e2076859277d18849454d149acd88c4',0);
CREATE TABLE server (
	id INTEGER NOT NULL, 
	platform VARCHAR NOT NULL, 
	ref VARCHAR NOT NULL, 
	preset VARCHAR NOT NULL, 
	locale VARCHAR NOT NULL, 
	time_zone VARCHAR NOT NULL, 
	"view" VARCHAR NOT NULL, 
	style VARCHAR NOT NULL, 
	teasing VARCHAR NOT NULL, 
	CONSTRAINT pk_server PRIMARY KEY (id), 
	CONSTRAINT uq_server_platform_ref UNIQUE (platform, ref)
);
INSERT INTO "server" VALUES(1,'web','local','','','Europe/Vilnius','text','','');
CREATE TABLE snapshot (
	table_id INTEGER NOT NULL, 
	text VARCHAR NOT NULL, 
	CONSTRAINT pk_snapshot PRIMARY KEY (table_id), 
	CONSTRAINT fk_snapshot_table_id FOREIGN KEY(table_id) REFERENCES card_table (id)
);
INSERT INTO "snapshot" VALUES(1,'rules podkidnoy-36 deck=24 max_players=4 hand_size=12 throw_in=none
trump H
hand JS QS 9H TH QH AH 9C QC KC AC
hand 9S KS AS JH KH QD KD TC JC
turn_up TH
discard 9D TD JD AD
attacker 1
defender 0
bout TS@1
known 0:TH
starters 1
bouts 2
beaten_off 2
round_start 1
moved 3
');
CREATE TABLE tally (
	server_id INTEGER NOT NULL, 
	player_id INTEGER NOT NULL, 
	games INTEGER NOT NULL, 
	fools INTEGER NOT NULL, 
	draws INTEGER NOT NULL, 
	first_out INTEGER NOT NULL, 
	expected FLOAT NOT NULL, 
	epaulettes INTEGER NOT NULL, 
	points INTEGER NOT NULL, 
	strength FLOAT NOT NULL, 
	doubt FLOAT NOT NULL, 
	CONSTRAINT pk_tally PRIMARY KEY (server_id, player_id), 
	CONSTRAINT fk_tally_player_id FOREIGN KEY(player_id) REFERENCES player (id), 
	CONSTRAINT fk_tally_server_id FOREIGN KEY(server_id) REFERENCES server (id)
);
CREATE TABLE variation (
	server_id INTEGER NOT NULL, 
	name VARCHAR NOT NULL, 
	rules VARCHAR NOT NULL, 
	CONSTRAINT pk_variation PRIMARY KEY (server_id, name), 
	CONSTRAINT fk_variation_server_id FOREIGN KEY(server_id) REFERENCES server (id)
);
INSERT INTO "variation" VALUES(1,'mine','podkidnoy-36 hand_size=4 transfer=on');
CREATE UNIQUE INDEX ix_message_key ON message ("key");
CREATE INDEX ix_message_room_guest_id ON message (room, guest_id, id);
CREATE INDEX ix_card_table_phase ON card_table (phase);
CREATE INDEX ix_card_table_stopped ON card_table (server_id, changed_at) WHERE stopped <> '';
CREATE UNIQUE INDEX uq_card_table_room_in_use ON card_table (server_id, room, topic) WHERE phase IN ('lobby', 'playing');
CREATE INDEX ix_duel_server_id_decided ON duel (server_id, decided);
CREATE INDEX ix_result_first_seat ON result (server_id, finished_at, trump, bouts, seconds) WHERE seat = 0 AND people >= 2;
CREATE INDEX ix_result_player_id_server_id ON result (player_id, server_id);
CREATE INDEX ix_result_server_id_finished_at ON result (server_id, finished_at);
CREATE INDEX ix_seat_player_id ON seat (player_id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('message',11);
INSERT INTO "sqlite_sequence" VALUES('card_table',2);
COMMIT;
