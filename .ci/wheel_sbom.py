"""Removes what differs between two builds from the list of dependencies in a wheel, and copies the list: the folder of the
checkout, the time, and a random number. Usage: wheel_sbom.py WHEEL CHECKOUT COPY. `SOURCE_DATE_EPOCH` is the time to write.
"""

import base64
import datetime
import hashlib
import json
import os
import pathlib
import sys
import zipfile

wheel, checkout, copy = map(pathlib.Path, sys.argv[1:])
time = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)

with zipfile.ZipFile(wheel) as archive:
    entries = [(one, archive.read(one)) for one in archive.infolist()]
[sbom] = [one.filename for one, _ in entries if "/sboms/" in one.filename]

record = ""
with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
    for one, data in entries:
        if one.filename == sbom:
            found = json.loads(data.decode().replace(f"file://{checkout}", "file://."))
            found.pop("serialNumber", None)
            found["metadata"]["timestamp"] = time.strftime("%Y-%m-%dT%H:%M:%SZ")
            data = (json.dumps(found, indent=2, sort_keys=True) + "\n").encode()
            copy.write_bytes(data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        if one.filename.endswith(".dist-info/RECORD"):
            data = f"{record}{one.filename},,\n".encode()
        record += f"{one.filename},sha256={digest},{len(data)}\n"
        archive.writestr(one, data)
