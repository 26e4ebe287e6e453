/**
 * The shell that becomes the agent: it publishes its own pid as the agent's, then replaces itself. If it cannot
 * publish it starts nothing, and if it cannot be replaced it takes `agent` back: `agent` means "was started".
 * $0 the run's mark, $1 run folder, $2 how to look, $3 boot, $4 namespace, $5 host, $6 the agent's PATH, then argv.
 */
import { IDENTITY_SH } from "./launcher.identity.sh.ts"

export const STARTER_SH = `
set -f
dir=$1 mode=$2 boot=$3 namespace=$4 host=$5 path=$6
shift 6
${IDENTITY_SH}
look $$
identity $$ "$start"
[ -n "$start" ] && publish agent "$text" 2>/dev/null || exit 125
tools=$PATH
# dash and busybox end where exec fails, and run the trap; bash would end without, unless told to go on.
restore() {
  code=$1
  PATH=$tools
  rm -f "$dir/agent"
  exit "$code"
}
trap 'restore $?' EXIT
[ -z "\${BASH_VERSION-}" ] || shopt -s execfail
PATH=$path
command exec "$@"
restore $?
`
