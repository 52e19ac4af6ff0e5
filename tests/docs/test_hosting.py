"""The systemd unit keeps the promises of docs/hosting.md."""

import re
import shutil
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.config import Settings
from bot.process.exits import DEFECT, NOT_NOW, SETTINGS
from bot.process.pulse import BEAT_SECONDS
from bot.start import SUBCOMMANDS
from bot.storage.migrations import upgrade
from tests.bot.storage.full_tables import fill, tables_of
from tests.docs.pages import PAGES, ROOT, page

DEPLOY = ROOT / "deploy"
UNIT = DEPLOY / "durak.service"
SCHEDULER = DEPLOY / "durak-scheduler.service"
THINKER = DEPLOY / "durak-thinker@.service"
INSTALLED = {UNIT: UNIT.name, SCHEDULER: SCHEDULER.name, THINKER: THINKER.name.replace("@", "@1")}
COMPOSE = DEPLOY / "compose.yaml"
MAX_EXPOSURE = 1.5


def settings() -> dict[str, str]:
    """Returns the unit's settings, the last of each name."""
    lines = UNIT.read_text("utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))


def test_the_unit_starts_the_bot_again_unless_its_owner_has_to_mend_something() -> None:
    unit = settings()
    assert (unit["Restart"], unit["RestartSec"], unit["StartLimitIntervalSec"]) == ("always", "3", "0")
    assert unit["RestartPreventExitStatus"] == str(SETTINGS)


def test_the_unit_hears_of_the_start_and_of_many_beats_before_it_loses_patience() -> None:
    unit = settings()
    assert unit["Type"] == "notify"
    assert int(unit["WatchdogSec"]) >= 30 * BEAT_SECONDS


def test_the_bot_of_the_unit_cannot_write_its_own_code() -> None:
    unit = settings()
    assert unit["ProtectSystem"] == "strict"
    assert "ReadWritePaths" not in unit
    assert not unit["ExecStart"].startswith(unit["WorkingDirectory"])


WITHOUT_SYSTEMD = shutil.which("systemd-analyze") is None


@pytest.mark.skipif(WITHOUT_SYSTEMD, reason="systemd-analyze is not installed")
def test_systemd_finds_nothing_wrong_with_the_units(tmp_path: Path) -> None:
    for unit, name in INSTALLED.items():
        installed = unit.read_text("utf-8").replace("/opt/durak/.venv/bin", str(Path(sys.executable).parent))
        (tmp_path / name).write_text(installed)
        command = ["systemd-analyze", "verify", "--man=no", str(tmp_path / name)]
        verified = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (verified.returncode, verified.stderr) == (0, "")


@pytest.mark.skipif(WITHOUT_SYSTEMD, reason="systemd-analyze is not installed")
@pytest.mark.parametrize(("source", "name"), INSTALLED.items())
def test_the_units_are_hardened(tmp_path: Path, source: Path, name: str) -> None:
    unit = shutil.copy(source, tmp_path / name)
    command = ["systemd-analyze", "security", "--offline=true", "--no-pager", str(unit)]
    analyzed = subprocess.run(command, capture_output=True, text=True, check=True)

    found = re.search(rf"exposure level for {name}: (\S+)", analyzed.stdout)
    assert found is not None
    assert float(found[1]) <= MAX_EXPOSURE


@pytest.mark.parametrize("unit", [SCHEDULER, THINKER])
def test_a_machine_of_the_cluster_cannot_read_the_database(unit: Path) -> None:
    assert f"InaccessiblePaths=-{settings()['WorkingDirectory']}\n" in unit.read_text("utf-8")


def test_every_exit_code_is_explained() -> None:
    hosting = page("docs/hosting.md")
    assert all(f"| {code} |" in hosting for code in (0, DEFECT, NOT_NOW, SETTINGS))


# Read by what installs the bot, or by tests.
NOT_OF_THE_BOT = {"BROWSER", "COMPILE", "PART", "PUBLISH", "SPECS", "TEST_POSTGRESQL"}


@pytest.mark.parametrize("name", [name for name in PAGES if name != "CHANGELOG.md"])
def test_every_setting_and_command_that_a_page_gives_owners_exists(name: str) -> None:
    named = set(re.findall(r"\bDURAK_([A-Z_]*[A-Z])", page(name)))
    assert not named - {field.upper() for field in Settings.model_fields} - NOT_OF_THE_BOT

    typed = set(re.findall(r"\bdurak-bot ([a-z]+)\b", page(name)))
    assert not typed - {command.name for command in SUBCOMMANDS}


def test_the_service_has_a_user_of_its_own() -> None:
    user = settings()["User"]
    assert re.search(rf"useradd --system .* {user}$", page("docs/hosting.md"), re.MULTILINE)


def test_the_container_has_a_check_of_its_health_and_no_rights() -> None:
    compose = COMPOSE.read_text("utf-8")
    for promise in ("healthcheck:", "/healthz", "start_period:", "cap_drop:", "read_only: true", "restart:"):
        assert promise in compose


WITHOUT_COMPOSE = shutil.which("docker-compose") is None


@pytest.mark.skipif(WITHOUT_COMPOSE, reason="docker-compose is not installed")
def test_compose_reads_all_services_and_thinkers_are_found_at_the_address_that_hosting_names(
    tmp_path: Path,
) -> None:
    address = "tcp://scheduler:8786"
    assert f"`DURAK_DASK={address}` in `.env`" in page("docs/hosting.md")

    (tmp_path / ".env").write_text(f"DURAK_DASK={address}\n")
    folder = tmp_path / "deploy"
    folder.mkdir()
    copy_compose(folder)

    assert sorted(composed(folder, "--services").split()) == ["durak", "scheduler", "worker"]
    read = composed(folder)
    assert f"DURAK_DASK: {address}\n" in read
    assert re.search(rf"- worker\n +- {address}\n", read)


@pytest.mark.skipif(WITHOUT_COMPOSE, reason="docker-compose is not installed")
@pytest.mark.parametrize(
    ("line", "published"),
    [("", "127.0.0.1:8080"), ("DURAK_PUBLISH=127.0.0.1:9000", "127.0.0.1:9000")],
)
def test_compose_publishes_the_page_where_its_own_env_file_says(
    tmp_path: Path, line: str, published: str
) -> None:
    (tmp_path / ".env").touch()
    folder = tmp_path / "deploy"
    folder.mkdir()
    (folder / ".env").write_text(f"{line}\n")
    copy_compose(folder)
    assert re.search(rf"- {published}:8080(/tcp)?\n", composed(folder))


@pytest.mark.skipif(WITHOUT_COMPOSE, reason="docker-compose is not installed")
def test_compose_can_read_each_proxy_that_hosting_puts_beside_the_bot(tmp_path: Path) -> None:
    overrides = re.findall(
        r"^```yaml\n(services:\n.*?)^```", page("docs/hosting.md"), re.MULTILINE | re.DOTALL
    )
    assert len(overrides) == 2

    (tmp_path / ".env").touch()
    folder = tmp_path / "deploy"
    folder.mkdir()
    copy_compose(folder)
    for override in overrides:
        (folder / "compose.override.yaml").write_text(override)
        assert "durak" in composed(folder, "--services").split()
        trusted = re.search(r"subnet: (\S+)", composed(folder))
        assert trusted is None or f"DURAK_TRUSTED_PROXIES={trusted[1]}\n" in page("docs/hosting.md")


def copy_compose(folder: Path) -> None:
    """Copies the file without the project's name, which docker-compose 1 does not know."""
    compose = COMPOSE.read_text("utf-8")
    assert compose.count("\nname: durak\n") == 1
    (folder / COMPOSE.name).write_text(compose.replace("\nname: durak\n", "\n"))


def composed(folder: Path, *options: str) -> str:
    """Returns the configuration that a folder's file describes, thinkers included."""
    command = ["docker-compose", "--profile", "thinkers", "config", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout


def test_no_key_of_a_service_is_given_twice() -> None:
    lines = COMPOSE.read_text("utf-8").splitlines()
    service = ""
    given = Counter[tuple[str, str]]()

    for line in lines:
        name = re.fullmatch(r"( {2}| {4})([\w-]+):.*", line)
        if name is not None and len(name[1]) == 2:
            service = name[2]
        elif name is not None:
            given[service, name[2]] += 1

    assert set(given.values()) == {1}, given.most_common(1)


ALERTS = DEPLOY / "alerts.yml"
WITHOUT_PROMTOOL = shutil.which("promtool") is None


@pytest.mark.skipif(WITHOUT_PROMTOOL, reason="promtool is not installed (apt install prometheus)")
def test_each_alarm_goes_off_at_its_trouble_and_at_nothing_else() -> None:
    command = ["promtool", "test", "rules", str(ROOT / "tests" / "docs" / "alerts.yml")]
    tested = subprocess.run(command, capture_output=True, text=True, check=False)
    assert tested.returncode == 0, tested.stdout + tested.stderr


def test_every_alarm_asks_for_metrics_that_the_bot_has() -> None:
    asked = set(re.findall(r"durak_[a-z_]+", ALERTS.read_text("utf-8")))
    assert asked
    told = {sample for sample in asked if sample.removesuffix("_bucket") in known_metrics()}
    assert asked == told


def test_every_alarm_and_every_metric_is_named_for_owners() -> None:
    hosting = page("docs/hosting.md")
    alarms = re.findall(r"alert: (\w+)", ALERTS.read_text("utf-8"))
    assert len(alarms) >= 6
    missing = {name for name in known_metrics() if name not in hosting}
    assert not missing


def known_metrics() -> set[str]:
    """Returns the names of the bot's own metrics, as queries write them."""
    code = "".join((ROOT / "bot" / file).read_text("utf-8") for file in ("metrics.py", "process/gauges.py"))
    return set(re.findall(r'"(durak_[a-z_]+)"', code))


FORGET_SERVER = DEPLOY / "forget-server.sql"
OF_A_SERVER = {"server_id", "table_id", "card_game_id", "cup_id"}


def test_the_script_deletes_everything_about_one_server_and_nothing_about_another(tmp_path: Path) -> None:
    file = tmp_path / "durak.db"
    engine = sa.create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        upgrade(connection)
        fill(connection)  # in each table, row 1 is about server 1, and row 2 about server 2
    engine.dispose()

    script = FORGET_SERVER.read_text("utf-8")
    for example, value in (("'telegram'", "'platform 1'"), ("'-1001234567890'", "'ref 1'")):
        assert script.count(example) == 1
        script = script.replace(example, value)

    with closing(sqlite3.connect(file)) as database:
        for statement in script.split(";\n"):
            found = database.execute(statement).fetchall()
            assert not found or found == [("groups or servers found: 1",)]
        assert not database.execute("PRAGMA foreign_key_check").fetchall()

    with engine.begin() as connection:
        assert connection.scalars(sa.text("SELECT id FROM server")).all() == [2]
        about_servers = [
            (table, column)
            for table in tables_of(connection)
            for column in table.columns
            if column.name in OF_A_SERVER
        ]
        for table, column in about_servers:
            assert 1 not in connection.scalars(sa.select(column)).all(), table.name
            assert connection.scalar(sa.select(sa.func.count()).select_from(table)) == 1, table.name


def test_the_command_for_containers_tells_an_owner_whose_id_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "durak.db"
    engine = sa.create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        upgrade(connection)
        fill(connection)
    engine.dispose()

    written = re.search(r"^RUN='(.*?)'$", page("docs/hosting.md"), re.MULTILINE | re.DOTALL)
    assert written is not None
    command = [sys.executable, "-c", written[1].replace("/data/durak.db", str(file))]
    script = FORGET_SERVER.read_text("utf-8")
    right = script.replace("'telegram'", "'platform 1'").replace("'-1001234567890'", "'ref 1'")

    wrong_id, right_id = (
        subprocess.run(command, input=statements, capture_output=True, text=True, check=True).stdout
        for statements in (script, right)
    )
    assert wrong_id == "0 rows changed\n"
    assert re.fullmatch(r"[1-9]\d* rows changed\n", right_id)
