/**
 * The launcher: one POSIX sh program, passed with `sh -c`, that runs one agent and outlives its host. It claims
 * before it starts anything, and says in the folder what happened. No file of ours is read as code, no value is
 * interpolated into this text, and umask stays as it was.
 *
 * $0 the run's mark (HOLDFAST_RUN=<id>), $1 the starter's text, $2 run folder, $3 cwd, $4 how to look at processes
 * (proc, ps), $5 boot, $6 PID namespace, $7 host, $8 seconds per tick, $9 ticks without an owner, $10 bytes of
 * spool, $11 ticks between TERM and KILL; then the agent's binary and its arguments.
 */
import { IDENTITY_SH } from "./launcher.identity.sh.ts"
import { WATCHDOG_SH } from "./watchdog.sh.ts"

export const LAUNCHER_SH = `
set -f
IFS=' \t\n'
# A handler, because an ignored signal would be inherited by the agent.
trap : INT TERM HUP
mark=$0 starter=$1 dir=$2 cwd=$3 mode=$4 boot=$5 namespace=$6 host=$7 tick=$8 limit=$9 most=\${10} grace=\${11}
shift 11
# Our own tools first, and the agent's PATH given back to the agent.
path=\${PATH-}
PATH=/usr/bin:/bin:/usr/sbin:/sbin\${path:+:$path}
${IDENTITY_SH}
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
    /bin/sh -c "$starter" "$mark" "$dir" "$mode" "$boot" "$namespace" "$host" "$path" "$@" \\
      < "$dir/prompt" >> "$dir/stdout" 2>> "$dir/stderr"
    status=$?
    if [ ! -f "$dir/agent" ]; then
      case $status in 125) failure=record ;; *) failure=exec ;; esac
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
