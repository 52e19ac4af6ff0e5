"""The owner is warned of a database on a network share, but not of one on a disk, wherever it is mounted."""

from pathlib import Path

import pytest

from bot.storage.shares import share_of

MOUNTS = """\
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:41 / /srv/games rw,relatime shared:9 - nfs4 server:/games rw,vers=4.2
31 30 8:2 / /srv/games/disk rw shared:10 - ext4 /dev/sdb1 rw
32 22 0:42 / /mnt/my\\040share rw shared:11 - cifs //server/share rw
33 22 0:43 / /home/anna/far rw shared:12 - fuse.sshfs anna@server: rw
"""


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("/", None),
        ("/srv", None),
        ("/srv/games", "nfs4"),
        ("/srv/games/durak", "nfs4"),
        ("/srv/games/disk", None),
        ("/mnt/my share/durak", "cifs"),
        ("/home/anna/far", "fuse.sshfs"),
        ("/home/anna", None),
    ],
)
def test_a_share_is_found_by_the_mount_that_a_folder_is_on(folder: str, kind: str | None) -> None:
    assert share_of(Path(folder), MOUNTS) == kind


def test_without_a_list_of_mounts_nothing_is_found_out() -> None:
    assert share_of(Path("/srv/games"), "") is None


def test_this_machine_has_a_disk(tmp_path: Path) -> None:
    assert share_of(tmp_path) is None
