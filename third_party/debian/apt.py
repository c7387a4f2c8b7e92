# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""A private view of one Debian suite, through the machine's own apt client.

The machine already knows where its Debian archive is and which keys sign it. This module copies that entry into a
source list of its own, and names the wanted suite in it. It keeps lists, caches and state in a folder of its own. So
nothing system-wide changes, and this tree needs no host name.
"""

import glob
import os
import re
import shutil
import subprocess
import tempfile

MACHINE_LISTS = ["/etc/apt/sources.list", "/etc/apt/sources.list.d/*.list", "/etc/apt/sources.list.d/*.sources"]

CONFIGURATION = """\
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Pre-Install-Pkgs;
#clear DPkg::Post-Invoke;
Dir::State "{root}/state";
Dir::State::Lists "{root}/lists";
Dir::State::status "{root}/state/status";
Dir::Cache "{root}/cache";
Dir::Etc::SourceList "{root}/debian.sources";
Dir::Etc::SourceParts "/dev/null";
Dir::Etc::Preferences "/dev/null";
Dir::Etc::PreferencesParts "/dev/null";
APT::Sandbox::User "root";
APT::Default-Release "";
Acquire::Languages "none";
"""


class AptError(Exception):
    """An operation that apt could not do. The text is a sentence for the person who runs the build."""


class Entry:
    """One archive of the machine's apt configuration: where it is, and which keys sign it."""

    def __init__(self, uris, suites, components, signed_by):
        self.uris = uris
        self.suites = suites
        self.components = components
        self.signed_by = signed_by

    def likelihood(self):
        """Returns how much the entry looks like Debian's main archive: a higher number is likelier."""
        path_ends_in_debian = any(uri.rstrip("/").endswith("/debian") for uri in self.uris.split())
        return 2 * ("debian-archive" in self.signed_by) + path_ends_in_debian

    def text(self, suite, signed_by=None):
        """Returns the deb822 text of this archive with `suite` in place of the machine's own."""
        keys = signed_by or self.signed_by
        lines = [
            "Types: deb deb-src",
            "URIs: " + self.uris,
            "Suites: " + suite,
            "Components: main",
            "Architectures: amd64",
            "Targets: Packages Sources",
        ]
        return "\n".join(lines + (["Signed-By: " + keys] if keys else [])) + "\n"


def parse_deb822(text):
    """Yields the binary-package entries of a `.sources` file."""
    for stanza in re.split(r"\n\s*\n", text):
        stanza = "\n".join(line for line in stanza.splitlines() if not line.startswith("#"))
        fields = {
            name.lower(): value.strip()
            for name, value in re.findall(r"^([A-Za-z-]+):((?:.*)(?:\n[ \t].*)*)", stanza, re.MULTILINE)
        }
        if fields.get("enabled", "yes").lower() in ("no", "false", "0") or "deb" not in fields.get("types", "").split():
            continue
        # A key given in place keeps its line breaks. The regular expression leaves them as they are.
        yield Entry(fields.get("uris", ""), fields.get("suites", "").split(), fields.get("components", "").split(),
                    fields.get("signed-by", ""))


def parse_one_line(text):
    """Yields the binary-package entries of a `.list` file."""
    for line in text.splitlines():
        match = re.match(r"\s*deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)\s+([^#]*)", line)
        if not match:
            continue
        options = dict(option.split("=", 1) for option in (match.group(1) or "").split() if "=" in option)
        yield Entry(match.group(2), [match.group(3)], match.group(4).split(),
                    options.get("signed-by", "").replace(",", " "))


def machine_codename():
    """Returns the machine's own suite, such as `bookworm`."""
    with open("/etc/os-release", encoding="utf-8") as release:
        match = re.search(r'^VERSION_CODENAME="?(\w+)', release.read(), re.MULTILINE)
    return match.group(1) if match else "stable"


def machine_entries():
    """Returns the machine's entries that may be Debian's main archive, the likeliest first."""
    own_suites = {machine_codename(), "stable", "oldstable", "testing", "unstable", "sid"}
    entries = []
    for pattern in MACHINE_LISTS:
        for path in sorted(glob.glob(pattern)):
            with open(path, encoding="utf-8") as source:
                text = source.read()
            entries += parse_deb822(text) if path.endswith(".sources") else parse_one_line(text)
    entries = [entry for entry in entries if own_suites & set(entry.suites) and "main" in entry.components]
    return sorted(entries, key=lambda entry: -entry.likelihood())


class Suite:
    """One Debian suite, seen through a private apt state under `root`. It is updated once and then reused.

    The caller holds a lock over `root` while it uses an instance.
    """

    def __init__(self, name, root):
        self.name = name
        self.root = root

    def run(self, *arguments, cwd=None):
        """Runs an apt tool on the private state. If it fails, raises AptError with its output."""
        program, *rest = arguments
        command = [program, "-q", "-c", os.path.join(self.root, "apt.conf"), *rest]
        environment = dict(os.environ, LC_ALL="C", DEBIAN_FRONTEND="noninteractive")
        done = subprocess.run(command, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, check=False)
        if done.returncode != 0:
            raise AptError("`%s` failed:\n%s%s" % (" ".join(command), done.stdout, done.stderr))
        return done.stdout

    def ensure_lists(self, refresh=False):
        """Makes sure that there are package lists. Fetches them the first time, and again if `refresh` is set."""
        self._write_configuration()
        stamp = os.path.join(self.root, "updated")
        if os.path.exists(stamp) and not refresh:
            return
        failures = []
        for entry in machine_entries():
            try:
                self._update(entry)
            except AptError as error:
                failures.append(str(error))
                continue
            with open(stamp, "w", encoding="utf-8"):
                return
        raise AptError("No Debian archive in this machine's apt configuration (%s) serves the suite %s.\n%s" %
                       (", ".join(MACHINE_LISTS), self.name, "\n".join(failures)))

    def with_fresh_lists_if_needed(self, action):
        """Returns `action()`. If it fails, tries once more with new lists, since point releases replace files."""
        self.ensure_lists()
        try:
            return action()
        except AptError:
            self.ensure_lists(refresh=True)
            return action()

    def _write_configuration(self):
        for folder in ("state", "lists/partial", "cache/archives/partial"):
            os.makedirs(os.path.join(self.root, folder), exist_ok=True)
        # This is the status of a machine without packages, so that a package comes with all its dependencies.
        with open(os.path.join(self.root, "state", "status"), "w", encoding="utf-8"):
            pass
        with open(os.path.join(self.root, "apt.conf"), "w", encoding="utf-8") as configuration:
            configuration.write(CONFIGURATION.format(root=self.root))

    def _write_source(self, text):
        with open(os.path.join(self.root, "debian.sources"), "w", encoding="utf-8") as sources:
            sources.write(text)

    def _update(self, entry):
        self._write_source(entry.text(self.name))
        try:
            self.run("apt-get", "update", "-oAPT::Update::Error-Mode=any")
        except AptError as error:
            if "NO_PUBKEY" not in str(error):
                raise
            keyring = self._newer_keyring(entry)
            self._write_source(entry.text(self.name, signed_by=keyring))
            self.run("apt-get", "update", "-oAPT::Update::Error-Mode=any")
        self._check_origin()

    def _check_origin(self):
        for path in glob.glob(os.path.join(self.root, "lists", "*Release")):
            with open(path, encoding="utf-8") as release:
                if re.search(r"^Origin: Debian$", release.read(), re.MULTILINE):
                    return
        raise AptError("The archive does not say that it is Debian's.")

    def _newer_keyring(self, entry):
        """Returns a keyring for the suite. It comes from the machine's own suite, which is signed with known keys."""
        own = Suite(machine_codename(), os.path.join(self.root, "keyring"))
        own._write_configuration()
        own._write_source(entry.text(own.name))
        own.run("apt-get", "update", "-oAPT::Update::Error-Mode=any")
        with tempfile.TemporaryDirectory() as folder:
            own.run("apt-get", "download", "debian-archive-keyring", cwd=folder)
            subprocess.run(["dpkg-deb", "-x", *glob.glob(folder + "/*.deb"), folder + "/tree"], check=True)
            # Its file ends in `.gpg` or, in newer packages, `.pgp`.
            found = sorted(glob.glob(folder + "/tree/usr/share/keyrings/debian-archive-keyring.[gp][pg][gp]"))
            keyring = os.path.join(self.root, os.path.basename(found[0]))
            shutil.copy(found[0], keyring)
        return keyring
