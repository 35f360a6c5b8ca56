# SPDX-License-Identifier: BSD-3-Clause
# Two commands for people, `make demo` and `make test`; the rest is what they stand on.
# Thin: each product is made by one script in devtools/, and a stamp under build/stamps says
# that it is done, written last, so that an interrupted run is taken up again.

S := build/stamps
LINUX := 6.12

.PHONY: help host sdk setup native asan arm64 kernel image wire demo shell-vm test test-debug storm clean
.DEFAULT_GOAL := help

# Python keeps its compiled modules out of the source tree.
export PYTHONPYCACHEPREFIX := $(CURDIR)/build/pycache

help:
	@echo 'make demo      build all, boot the emulated i.MX 8M Plus, forward frames, print the table'
	@echo 'make test      every test; ends in "N passed, N failed"'
	@echo '               (SUITES="unit vm" for some: scripts unit intree kernel app veth vm storm)'
	@echo 'make test-debug  the VM tests, and the storms, on a kernel that finds faults; about 45 minutes'
	@echo 'make storm     the storms over and over, until one fails'
	@echo '               (STORM="tests/storm/test_soak.py --storm-seconds 0" for one without end)'
	@echo
	@echo 'make setup     host packages, DPDK driver headers, arm64 sysroot, kernel image and headers'
	@echo 'make native    PMD, application and tools for this machine     (build/native)'
	@echo 'make asan      the same with sanitizers                        (build/asan)'
	@echo 'make arm64     PMD, application and tools for the target       (build/arm64/meson)'
	@echo 'make kernel    kernel modules for Linux $(LINUX) on arm64          (build/kernel/$(LINUX)/modules)'
	@echo 'make image     the VM images                                  (build/vm)'
	@echo 'make image-V   the same for kernel variant V of config/kernel: debug, ubsan, kcsan'
	@echo 'make shell-vm  the board, its console here, to try things on'
	@echo 'make clean     remove build/, but for downloaded packages'

# Set-up. `host` and `sdk` look each time whether the machine is as they left it; the rest
# is done once, and again when the list or script that it comes from changes.
$(S):
	@mkdir -p $@

host:
	@devtools/host-packages

sdk: host
	@devtools/sdk-headers

$(S)/sysroot: devtools/sysroot devtools/sysroot-packages | host $(S)
	@devtools/sysroot
	@touch $@

$(S)/kernel-$(LINUX): devtools/kernel-tree | host $(S)
	@devtools/kernel-tree $(LINUX)
	@touch $@

setup: sdk $(S)/sysroot $(S)/kernel-$(LINUX)

# Builds. ninja and Kbuild know what is out of date.
native asan: sdk
	@devtools/meson-setup $@
	@ninja -C build/$@

arm64: sdk $(S)/sysroot
	@devtools/meson-setup $@
	@ninja -C build/arm64/meson

kernel: $(S)/kernel-$(LINUX)
	@devtools/modules $(LINUX)

image: kernel arm64
	@devtools/oracle-modules $(LINUX)
	@devtools/hwsim-dtb $(LINUX)
	@devtools/initramfs $(LINUX) base
	@devtools/initramfs $(LINUX) dpdk

# Kernels that find faults, by the name of their configuration.
.PRECIOUS: $(S)/kernel-$(LINUX)-%
$(S)/kernel-$(LINUX)-%: devtools/debug-kernel config/kernel/board.config config/kernel/%.config $(S)/kernel-$(LINUX)
	@devtools/debug-kernel $(LINUX) $*
	@touch $@

image-%: $(S)/kernel-$(LINUX)-% arm64
	@devtools/modules $(LINUX)-$*
	@devtools/hwsim-dtb $(LINUX)-$*
	@devtools/initramfs $(LINUX)-$* base
	@devtools/initramfs $(LINUX)-$* dpdk

# The demonstration needs no more of this machine's build than the link partner.
demo shell-vm: wire

wire: sdk
	@devtools/meson-setup native
	@ninja -C build/native tests/wire/wire

demo: image
	@tests/vm/demo.py

shell-vm: image
	@tests/vm/shell.py

test: setup
	@devtools/run-tests $(SUITES)

test-debug: setup
	@devtools/run-tests debug

# Each time with new seeds.
STORM := tests/storm
storm: setup image-debug native
	@while VM_KERNEL=$(LINUX)-debug /usr/bin/python3 -m pytest -v -x --tb=short $(STORM); do :; done

clean:
	@if [ -d build ]; then find build -mindepth 1 -maxdepth 1 ! -name apt -exec rm -rf {} +; fi
