# SPDX-License-Identifier: BSD-3-Clause
"""The VM test harness: an emulated i.MX 8M Plus, commands in it, and its link partner."""
