"""Detects network shares, on which SQLite's log and locks cannot be trusted."""

import re
from pathlib import Path

MOUNTS = Path("/proc/self/mountinfo")  # only on Linux; elsewhere no share is detected

NETWORK = re.compile(r"nfs\d?|cifs|smb\w*|ncpfs|afs|ceph|glusterfs|fuse\.(sshfs|glusterfs|ceph|s3fs|rclone)")


def share_of(folder: Path, mounts: str | None = None) -> str | None:
    """Returns the kind of network share that a folder is on, such as `nfs4`; None on a disk.

    Args:
        folder: The folder.
        mounts: The mounts in the format of `/proc/self/mountinfo`; None: those of this machine.
    """
    if mounts is None:
        mounts = _mounts()

    place = folder.resolve()
    nearest: tuple[int, str] | None = None
    for line in mounts.splitlines():
        mount, _, system = line.partition(" - ")
        point = Path(mount.split()[4].encode().decode("unicode_escape"))
        if place.is_relative_to(point):
            depth = len(point.parts)
            if nearest is None or depth >= nearest[0]:
                nearest = (depth, system.split()[0])

    if nearest is None or not NETWORK.fullmatch(nearest[1]):
        return None

    return nearest[1]


def _mounts() -> str:
    try:
        return MOUNTS.read_text("utf-8")
    except OSError:
        return ""


def share_sentence(file: Path) -> str | None:
    """Returns the sentence for the owner of a database on a network share; None on a disk."""
    kind = share_of(file.parent)
    if kind is None:
        return None

    return (
        f"The database {file} is on a network share ({kind}), where SQLite can lose games. Set "
        "DURAK_DATABASE_URL to a file on a disk of this machine, or to a PostgreSQL database."
    )
