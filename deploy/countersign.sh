#!/bin/sh
# Runs a command with the service's settings, user and protection. As root:
#   /opt/countersign/deploy/countersign.sh customers create --name … --email …
# systemd reads the settings as it does for the service. A shell would run parts of them as commands.
# Without a description, systemd writes the whole command with its emails and passwords to the journal.
set -eu
folder=$(CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")/.." && pwd)
exec systemd-run --description='Countersign, a command' --quiet --collect --pipe --wait \
  -p User=countersign \
  -p Group=countersign \
  -p WorkingDirectory="$folder" \
  -p EnvironmentFile=/etc/countersign/env \
  -p Environment=MASTER_KEY_FILE=/etc/countersign/master_key \
  -p Environment=DATA_DIR=/var/lib/countersign \
  -p StateDirectory=countersign \
  -p StateDirectoryMode=0700 \
  -p NoNewPrivileges=yes \
  -p ProtectSystem=strict \
  -p ProtectHome=yes \
  -p PrivateTmp=yes \
  -p PrivateDevices=yes \
  -p ProtectKernelTunables=yes \
  -p ProtectKernelModules=yes \
  -p ProtectControlGroups=yes \
  -p "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK" \
  -p RestrictSUIDSGID=yes \
  -p LockPersonality=yes \
  -p CapabilityBoundingSet= \
  -p UMask=0077 \
  /usr/bin/env node packages/service/bin/countersign.mjs "$@"
