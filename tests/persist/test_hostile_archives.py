"""Archives and manifests that someone has changed end in one sentence, never in a crash."""

from __future__ import annotations

import io
import json
import struct
import warnings
import zipfile

import pytest
from sklearn import svm
from sklearn.datasets import make_classification

import nonet
from nonet import ModelFileError
from nonet._base import archive
from nonet._base.archive import MAX_RATIO, ArchiveReader, write_archive
from nonet._base.archive_file import open_archive
from persist.rewriting import refuses, saved, unpack, with_manifest, with_parts

X, Y = make_classification(n_samples=80, n_features=6, random_state=0)

CONTENT = saved(nonet.VotingClassifier([("svm", svm.SVC())]).fit(X, Y))
FOREST = saved(nonet.RandomForestClassifier(5, random_state=0).fit(X, Y))


# ---- The archive ---------------------------------------------------------------------------------


def rezipped(content, change):
    """Write the parts again with zipfile itself, after `change` has had the list of them."""
    manifest, parts = unpack(content)
    entries = [("manifest.json", json.dumps(manifest).encode()), *parts.items()]
    file = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(file, "w") as archive:
        warnings.simplefilter("ignore")  # names that are there twice
        for name, part in change(entries):
            archive.writestr(name, part)
    return file.getvalue()


@pytest.mark.parametrize(
    "name",
    [
        "../evil.npy",
        "/etc/passwd",
        "a\\b.npy",
        "C:evil.npy",
        "x",
        "A.npy",
        "arrays/",
        "a/b/c/d/e.npy",
    ],
)
def test_names_with_paths_are_refused(name):
    refuses(rezipped(CONTENT, lambda parts: [*parts, (name, b"x")]), "cannot be read")


def test_name_that_is_there_twice_is_refused():
    refuses(rezipped(CONTENT, lambda parts: [*parts, parts[1]]), "the same name")


def test_part_that_is_not_in_the_manifest_is_refused():
    refuses(rezipped(CONTENT, lambda parts: [*parts, ("extra.npy", b"x")]), "does not list")


def test_part_that_is_missing_is_refused():
    refuses(rezipped(CONTENT, lambda parts: parts[:-1]), "does not list")


@pytest.mark.parametrize("kind", ["bzip2", "lzma"])
def test_unknown_compression_is_refused(kind):
    file = io.BytesIO()
    method = {"bzip2": zipfile.ZIP_BZIP2, "lzma": zipfile.ZIP_LZMA}[kind]
    with zipfile.ZipFile(file, "w", method) as archive:
        archive.writestr("manifest.json", b"{}" * 100)
    refuses(file.getvalue(), "unknown way")


def test_encrypted_part_is_refused():
    content = bytearray(CONTENT)
    directory = content.rindex(b"PK\x01\x02")
    content[directory + 8] |= 1
    refuses(bytes(content), "encrypted")


def test_zip_bomb_is_refused_before_it_is_unpacked():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", b"{}")
        archive.writestr("arrays/0.npy", bytes(50_000_000))
    refuses(file.getvalue(), f"more than {MAX_RATIO} times")


def test_bomb_of_overlapping_parts_is_refused():
    """Many entries of the directory that name the same bytes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("manifest.json", b"{}")
        archive.writestr("arrays/0.npy", bytes(1000))
        info = archive.infolist()[-1]
        for number in range(1, 50):
            again = zipfile.ZipInfo(f"arrays/{number}.npy")
            for name in ("CRC", "compress_size", "file_size", "header_offset"):
                setattr(again, name, getattr(info, name))
            archive.filelist.append(again)
    refuses(file.getvalue(), "overlap")


def test_part_that_is_longer_than_declared_is_refused():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", bytes(range(256)) * 40)
    content = bytearray(file.getvalue())
    struct.pack_into("<I", content, content.rindex(b"PK\x01\x02") + 24, 100)
    refuses(bytes(content), "cannot be read|declared")


@pytest.mark.parametrize("fraction", [0.0, 0.1, 0.5, 0.9, 0.99, 0.9999])
def test_truncated_file_is_refused(fraction):
    refuses(CONTENT[: int(len(CONTENT) * fraction)])


def readable(content):
    try:
        unpack(bytes(content))
    except Exception:  # zipfile and zlib raise many kinds
        return False
    return True


def test_flipped_bit_in_any_part_is_refused():
    with zipfile.ZipFile(io.BytesIO(FOREST)) as archive:
        infos = archive.infolist()
    assert {"manifest.json", "model.json", "trees/0_0.trees"} <= {info.filename for info in infos}
    for info in infos:
        start = info.header_offset + 30 + len(info.filename)
        for position in range(start, start + info.compress_size, info.compress_size // 7):
            damaged = bytearray(FOREST)
            damaged[position] ^= 4
            if readable(damaged):  # bits behind the end of a deflated part have no meaning
                assert unpack(bytes(damaged)) == unpack(FOREST)
            else:
                refuses(bytes(damaged))


PARTS = {f"trees/0_{i}.trees": bytes(range(i, 200)) * 50 for i in range(9)}


def reader_of_parts(compression, change=bytes):
    file = io.BytesIO()
    write_archive(file, {}, PARTS, compression)
    return ArchiveReader(io.BytesIO(change(file.getvalue())), "the file")


def with_threads(monkeypatch):
    """Let threads help with few bytes already."""
    monkeypatch.setattr(archive, "_BYTES_PER_THREAD", 1)


@pytest.mark.parametrize("compression", [0, 9])
@pytest.mark.parametrize("n_threads", [1, 2, 4])
def test_threads_read_the_same_parts_in_order(monkeypatch, compression, n_threads):
    with_threads(monkeypatch)
    reader = reader_of_parts(compression)
    work = reader.begin(list(PARTS), lambda name, part: (name, part), n_threads)
    assert work.finish() == list(PARTS.items())
    assert [reader.read(name) for name in PARTS] == list(PARTS.values())


def test_threads_read_a_file_on_the_disk(monkeypatch, tmp_path):
    with_threads(monkeypatch)
    path = tmp_path / "parts.zip"
    with path.open("wb") as file:
        write_archive(file, {}, PARTS)
    assert path.stat().st_size > 1 << 16  # so that the end is not in what is read first
    with open_archive(path, "file") as reader:
        assert reader.begin(list(PARTS), lambda name, part: part, 4).finish() == list(
            PARTS.values()
        )


@pytest.mark.parametrize("comment", [b"", b"a comment"])
def test_archives_of_other_programs_are_read(comment):
    """With a comment the directory is read by zipfile."""
    file = io.BytesIO()
    write_archive(file, {}, PARTS)
    with zipfile.ZipFile(file, "a") as readable:
        readable.comment = comment
    reader = ArchiveReader(io.BytesIO(file.getvalue()), "the file")
    assert [reader.read(name) for name in PARTS] == list(PARTS.values())


def flip_part(content):
    """Return an archive whose sixth part has one bit changed."""
    with zipfile.ZipFile(io.BytesIO(content)) as readable:
        info = readable.getinfo("trees/0_5.trees")
    damaged = bytearray(content)
    damaged[info.header_offset + 30 + len(info.filename) + info.compress_size // 2] ^= 4
    return bytes(damaged)


@pytest.mark.parametrize("compression", [0, 9])
@pytest.mark.parametrize("n_threads", [1, 4])
def test_flipped_bit_is_found_before_anything_is_made_of_it(monkeypatch, compression, n_threads):
    with_threads(monkeypatch)
    made = []
    reader = reader_of_parts(compression, flip_part)
    with pytest.raises(ModelFileError, match=r"^the file is damaged: .*\.$"):
        reader.begin(list(PARTS), lambda name, part: made.append(name), n_threads).finish()
    assert "trees/0_5.trees" not in made


def test_deflated_part_that_is_longer_than_declared_is_refused():
    reader = reader_of_parts(9)
    name = "trees/0_5.trees"
    entry = reader._entries[name]
    reader._entries[name] = entry._replace(n_bytes=entry.n_bytes - 1)
    with pytest.raises(ModelFileError, match="not as long as declared"):
        reader.read(name)


@pytest.mark.parametrize("name", ["model.json", "trees/0_0.trees"])
def test_local_name_that_is_another_is_refused(name):
    damaged = bytearray(FOREST)
    damaged[damaged.index(name.encode())] ^= 1  # the first is that of the local header
    refuses(bytes(damaged), "two names")


def test_flipped_bit_in_the_manifest_is_found_by_the_checksum_of_zip():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as stored:
        stored.writestr("manifest.json", b'{"parts": {}}')
    damaged = bytearray(file.getvalue())
    damaged[damaged.index(b"parts")] ^= 1
    refuses(bytes(damaged), "CRC-32")


def test_damaged_trees_that_no_record_names_are_refused():
    content = with_parts(FOREST, lambda parts: parts.update({"trees/7_0.trees": b"no trees"}))
    refuses(content, "trees/7_0.trees")


# ---- The manifest --------------------------------------------------------------------------------


def test_later_version_is_refused_with_a_way_out():
    text = refuses(with_manifest(CONTENT, version=2), "version 2")
    assert "install a later release" in text


@pytest.mark.parametrize("version", [0, -1, "1", None, 1.5, True, [1]])
def test_version_that_is_none_is_refused(version):
    refuses(with_manifest(CONTENT, version=version))


@pytest.mark.parametrize(
    "required",
    [["1.0", "1.1"], ["1.0"], "1.9", [1, 2], ["a", "b"], ["2.0", "1.0"], ["9" * 500, "9" * 600]],
)
def test_other_versions_of_scikit_learn_are_refused(required):
    refuses(with_manifest(CONTENT, requires={"scikit-learn": required}))


def test_objects_of_scikit_learn_without_a_version_are_refused():
    refuses(with_manifest(CONTENT, requires={}), "names no version")


def test_manifest_of_another_class_is_refused():
    refuses(with_manifest(CONTENT, **{"class": "BaggingClassifier"}), "another model")


def test_another_format_is_refused():
    refuses(with_manifest(CONTENT, format="nonet ledger"), "not a model file")


@pytest.mark.parametrize("field", ["class", "parameters", "columns", "facts", "requires"])
def test_manifest_without_a_field_is_refused(field):
    refuses(with_manifest(CONTENT, **{field: 7}), f"no '{field}'")


@pytest.mark.parametrize("text", [b"", b"[", b"[" * 100_000, b"NaN", b"[1e999999]x", b"\xff\xfe"])
def test_records_that_are_not_json_are_refused(text):
    refuses(with_parts(CONTENT, lambda parts: parts.update({"model.json": text})))


def test_part_of_another_model_is_found_by_its_sha256():
    content = saved(nonet.DecisionTreeRegressor().fit([[0.0], [1.0]], [3.0, 5.0]))
    manifest, parts = unpack(content)
    other = unpack(saved(nonet.DecisionTreeRegressor().fit([[0.0], [1.0]], [3.0, 6.0])))[1]
    name = "trees/0_0.trees"
    exchanged = repacked(manifest, {**parts, name: other[name]})
    assert nonet.describe_file(io.BytesIO(content), verify=True).class_name
    assert nonet.describe_file(io.BytesIO(exchanged)).class_name
    with pytest.raises(ModelFileError, match=f"SHA-256 of its part '{name}'"):
        nonet.describe_file(io.BytesIO(exchanged), verify=True)


def repacked(manifest, parts):
    """Return an archive as a zip program writes it: with the manifest as it was."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, part in {"manifest.json": json.dumps(manifest).encode(), **parts}.items():
            archive.writestr(name, part)
    return file.getvalue()
