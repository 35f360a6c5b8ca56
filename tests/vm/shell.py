#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""A board to try things on: its console here, and a link partner that answers ARP and ping at 10.0.0.1.

`exit` in the shell, or Ctrl-A x, ends it. The partner's end of the wire is free for another program
once this one's own is told to go with --no-partner.
"""

import argparse
import subprocess

from lib import process
from lib.machine import PARTNER_IP, Vm


def main():
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--image", choices=["base", "dpdk"], default="dpdk")
    parser.add_argument("--fec", choices=["ours", "in-tree", "none"], default="ours")
    parser.add_argument("--append", default="", help="more of the kernel's command line")
    parser.add_argument("--no-partner", action="store_true", help="leave the far end of the wire free")
    options = parser.parse_args()
    vm = Vm(image=options.image, fec=options.fec, append=f"guest_shell=yes {options.append}", hugepages=128)
    vm.console_device = "mon:stdio"
    print(f"wire of the board: {vm.remote} (partner), {vm.local} (board)", flush=True)
    partner = None if options.no_partner else vm.wire("--answer", PARTNER_IP, macs=False)
    try:
        subprocess.run(vm.arguments(), check=False)
    finally:
        if partner:
            process.stop(partner.process)


if __name__ == "__main__":
    main()
