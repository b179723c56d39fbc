#!/bin/sh
# Runs a command with the service's settings, as its user:
#   su countersign -c "/opt/countersign/deploy/countersign.sh customers create --name … --email …"
set -a
. /etc/countersign/env
set +a
export MASTER_KEY_FILE=/etc/countersign/master_key DATA_DIR=/var/lib/countersign
cd /opt/countersign && exec node packages/service/bin/countersign.mjs "$@"
