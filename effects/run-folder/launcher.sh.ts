/**
 * The launcher: one POSIX sh program, passed with `sh -c`, that runs one agent and outlives its host. It claims
 * before it starts anything, and says in the folder what happened. No file of ours is read as code, no value is
 * interpolated into this text, and umask stays as it was.
 *
 * $0 the run's mark (HOLDFAST_RUN=<id>), then in this order: the shell, the starter's text, run folder, cwd, how to look
 * at processes (proc, ps), boot, PID namespace, host, seconds per tick, ticks without an owner, bytes of spool, ticks
 * between TERM and KILL; the agent's binary and its arguments.
 */
import { IDENTITY_SH } from "./launcher.identity.sh.ts"
import { STRIKE_SH } from "./strike.sh.ts"
import { WATCHDOG_SH } from "./watchdog.sh.ts"

export const LAUNCHER_SH = `
set -f
blank=' \t\n'
IFS=$blank
# A handler, because an ignored signal would be inherited by the agent.
trap : INT TERM HUP
mark=$0 shell=$1 starter=$2
shift 2
dir=$1 cwd=$2 mode=$3 boot=$4 namespace=$5 host=$6 tick=$7 limit=$8 most=$9
shift 9
grace=$1
shift
# Our own tools first, and the agent's PATH given back to the agent.
path=\${PATH-}
PATH=/usr/bin:/bin:/usr/sbin:/sbin\${path:+:$path}
${IDENTITY_SH}
${STRIKE_SH}
${WATCHDOG_SH}
sha256() {
  if command -v sha256sum >/dev/null 2>&1; then sha256sum
  elif command -v shasum >/dev/null 2>&1; then shasum -a 256
  elif command -v sha256 >/dev/null 2>&1; then sha256 -q
  elif command -v openssl >/dev/null 2>&1; then openssl dgst -sha256 -r
  else echo none
  fi
}

failure=
cd "$cwd" 2>/dev/null || failure=cwd
if [ -z "$failure" ]; then
  expected=
  { while IFS= read -r line; do
    case $line in promptSha256=*) expected=\${line#*=} ;; esac
  done < "$dir/spec"; } 2>/dev/null
  actual=
  { actual=$(sha256 < "$dir/prompt"); } 2>/dev/null
  case \${actual%% *} in
    none) failure=digestTool ;;
    '') failure=prompt ;;
    "$expected") ;;
    *) failure=prompt ;;
  esac
fi

# link(2) is exclusive. Removed first: a name left by an earlier pid like ours may be the claim itself.
look $$
launcher_start=$start
[ -n "$start" ] || exit 73
identity $$ "$start"
rm -f "$dir/.claim.$$"
printf 'by=launcher\\n%s\\n' "$text" > "$dir/.claim.$$" || exit 73
if ln "$dir/.claim.$$" "$dir/claim"; then
  rm -f "$dir/.claim.$$"
else
  rm -f "$dir/.claim.$$"
  [ -e "$dir/claim" ] && exit 75
  exit 73
fi

status=126
watcher= watcher_start=
if [ -z "$failure" ]; then
  ( watch ) < /dev/null > /dev/null 2>&1 &
  watcher=$!
  look "$watcher"
  watcher_start=$start
  if [ -r "$dir/prompt" ] && [ -w "$dir/stdout" ] && [ -w "$dir/stderr" ]; then
    # In the foreground: a background job would ignore SIGINT.
    "$shell" -c "$starter" "$mark" "$dir" "$mode" "$boot" "$namespace" "$host" "$path" "$@" \\
      < "$dir/prompt" >> "$dir/stdout" 2>> "$dir/stderr"
    status=$?
    if [ ! -f "$dir/agent" ]; then
      case $status in 125) failure=record ;; 126 | 127) failure=exec ;; *) failure=stopped ;; esac
    fi
  else
    failure=spool
  fi
fi

# A full disk may have room again.
tries=0
until publish exit "status=$status\${failure:+
failure=$failure}"; do
  tries=$((tries + 1))
  [ "$tries" -lt 60 ] && [ -d "$dir" ] || break
  sleep "$tick"
done

# Ours and not yet waited for, or else not the same start. While it ends the run it is left to finish.
if alive "$watcher" "$watcher_start" && [ ! -f "$dir/ended" ]; then kill -TERM "$watcher"; fi
while alive "$watcher" "$watcher_start"; do wait "$watcher"; done
exit 0
`
