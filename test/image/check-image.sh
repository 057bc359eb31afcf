#!/usr/bin/env bash
# Builds the image of server/deploy/Dockerfile, runs it, and checks what it promises: npm run test:image [-- --pull --must-run]
# Needs root and the programs below; without them it says so, and checks nothing: with --must-run that is a failure. Some 3 minutes on a
# quiet machine.
# The base image is pulled with --pull. Else it must be there, or a stand-in is made of Debian's and npm's packages: for checks only.
set -euo pipefail
cd "$(dirname "$0")/../.."
tree=$PWD deploy=$PWD/server/deploy image=localhost/platen:check name=platen-check-$$ work=$(mktemp -d)
step() { printf '%4ss  %s\n' "$SECONDS" "$*"; }
die() {
  echo "FAILED: $*"
  exit 1
}
skip() {
  echo "SKIPPED npm run test:image, NOTHING OF THE IMAGE WAS CHECKED: $*"
  $must_run && exit 1 || exit 0
}
clean() {
  podman rm -f -t 2 "$name" > /dev/null 2>&1 || true
  chmod -R u+w "$work" && rm -rf "$work"
}
trap 'rm -rf "$work"' EXIT

pull=false must_run=false
for option in "$@"; do
  case $option in --pull) pull=true ;; --must-run) must_run=true ;; *) die "unknown option $option" ;; esac
done
[ "$(id -u)" = 0 ] || skip 'it needs root'
base=$(sed -n 's/^FROM \(node:[^ ]*\).*/\1/p' "$deploy/Dockerfile" | tail -1)
tools=(buildah podman curl ffprobe identify mutool qpdf unzip)
for tool in "${tools[@]}"; do command -v "$tool" > /dev/null || skip "it needs ${tools[*]}; $tool is missing"; done
trap clean EXIT
# runc where there is one: older versions of crun refuse hybrid control groups.
podman=(podman)
! command -v runc > /dev/null || podman+=(--runtime runc)

# Debian slim with the security suite, that Node and its npm.
make_stand_in() {
  command -v mmdebstrap > /dev/null || skip 'without --pull it needs the base image, or mmdebstrap to make a stand-in for it'
  local major release sources share=/usr/share box
  major=$(sed 's/^node:\([0-9]*\).*/\1/' <<< "$base")
  release=$(sed 's/^node:[0-9.]*-\([a-z]*\)-slim$/\1/' <<< "$base")
  sources=$(grep -lrE '^URIs: .*debian' /etc/apt/sources.list.d | head -1)
  grep -q "$release" "$sources" || skip "without --pull it needs the base image, or Debian $release to make a stand-in for it"
  mmdebstrap -q --variant=minbase --include=ca-certificates \
    --dpkgopt="path-exclude=$share/doc/*" --dpkgopt="path-exclude=$share/man/*" --dpkgopt="path-exclude=$share/locale/*" \
    "$release" "$work/root.tar" "$sources"
  mkdir -p "$work"/layer/{usr/local/bin,usr/local/lib/node_modules,etc/ssl/certs} "$work/npm"
  (cd "$work/npm" && npm init -y > /dev/null && npm install --silent --no-audit --no-fund "npm@11" "node@$major")
  cp -L "$(find "$work/npm/node_modules" -path '*/bin/node' -type f -size +1M | head -1)" "$work/layer/usr/local/bin/node"
  cp -a "$work/npm/node_modules/npm" "$work/layer/usr/local/lib/node_modules/npm"
  for tool in npm npx; do ln -s "../lib/node_modules/npm/bin/$tool-cli.js" "$work/layer/usr/local/bin/$tool"; done
  # The authorities that this machine trusts.
  cp /etc/ssl/certs/ca-certificates.crt "$work/layer/etc/ssl/certs/"
  box=$(buildah from scratch)
  buildah add -q "$box" "$work/root.tar" / > /dev/null
  buildah add -q "$box" "$work/layer" / > /dev/null
  buildah config --cmd node --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$box"
  buildah commit -q --rm "$box" "docker.io/library/$base" > /dev/null
}

if $pull; then podman pull -q "docker.io/library/$base" > /dev/null
elif ! podman image exists "docker.io/library/$base"; then make_stand_in
fi
step "base: $base"

# By default a build step may have 1024 files open, which npm exceeds with an empty cache.
(cd "$tree" && nice -n 10 buildah bud --layers --format docker --isolation chroot --ulimit "nofile=$(ulimit -n)" --pull=never -f server/deploy/Dockerfile -t "$image" . > "$work/build.log" 2>&1) \
  || { tail -30 "$work/build.log"; die 'the build'; }
step "image: $(podman image inspect "$image" --format '{{.Size}}') bytes"
[ "$(podman image inspect "$image" --format '{{.Config.User}}')" = 10001:10001 ] || die 'the user is no number'

# --ulimit: raising it needs a right that containers within containers lack. --no-healthcheck: systemd's timers would run it.
engine=(--no-healthcheck --network host --ulimit nofile=4096:4096 --ulimit nproc=4096:4096)
profile() { printf -- '--security-opt=seccomp=%s' "$1"; }
# As server/deploy/README.md says.
hardened=("${engine[@]}" --cap-drop ALL --security-opt no-new-privileges "$(profile "$work/seccomp.json")" --shm-size 1g --memory 4g --pids-limit 2048
  --read-only --read-only-tmpfs=false --tmpfs /tmp:size=2g,mode=1777 --tmpfs /var/cache/platen:size=1g,mode=1777,notmpcopyup)
run() { timeout 300 "${podman[@]}" run --rm "$@"; }

run "${engine[@]}" --entrypoint cat "$image" seccomp.json > "$work/seccomp.json"
cmp "$work/seccomp.json" "$deploy/seccomp.json" || die 'the seccomp profile in the image'
left=$(run "${engine[@]}" --entrypoint sh "$image" -c 'ls -A /var/cache/platen /var/lib/apt/lists; find /var/cache/apt -name "*.deb" 2> /dev/null || true')
[ "$(grep -v -e '^$' -e '^/var' <<< "$left" || true)" = '' ] || die "left in the image: $left"
step 'holds its seccomp profile, no skeleton files and no packages'

# What an engine's own profile does without CAP_SYS_ADMIN: no new namespaces.
node -e '
  const profile = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
  const error = { action: "SCMP_ACT_ERRNO", errnoRet: 1 };
  const flags = { index: 0, value: 0x7e020000, valueTwo: 0, op: "SCMP_CMP_MASKED_EQ" };
  profile.syscalls.push({ names: ["unshare", "setns"], ...error }, { names: ["clone3"], action: "SCMP_ACT_ERRNO", errnoRet: 38 });
  for (const bit of [0x10000000, 0x20000000, 0x40000000])
    profile.syscalls.push({ names: ["clone"], ...error, args: [{ ...flags, value: bit, valueTwo: bit }] });
  console.log(JSON.stringify(profile));' "$deploy/seccomp.json" > "$work/stock.json"
if run "${engine[@]}" --cap-drop ALL "$(profile "$work/stock.json")" "$image" doctor > "$work/doctor" 2>&1; then die 'doctor without user namespaces'; fi
grep -q 'render .*MISSING.*seccomp.*--browser-no-sandbox' "$work/doctor" || { cat "$work/doctor"; die 'the cure for missing user namespaces'; }
step 'without user namespaces: doctor names the profile, then what --browser-no-sandbox costs'

# Whoever runs it: an operator's own user too.
for user in 10001:10001 54321; do
  run "${hardened[@]}" --user "$user" "$image" doctor > "$work/doctor" 2>&1 || { cat "$work/doctor"; die "doctor as $user"; }
  for line in 'sandbox on' 'fonts  *ok ' 'qpdf  *ok ' 'ffmpeg  *ok '; do grep -q "$line" "$work/doctor" || { cat "$work/doctor"; die "doctor as $user: $line"; }; done
done
step 'doctor as 10001 and 54321: sandbox on, read-only root, no capability, all fonts and tools'

page='data:text/html,<h1>hello'
mkdir -m 777 "$work/out"
run "${hardened[@]}" "$image" "$page" - --browser-width 320 --browser-height 200 > "$work/out/stdout.png"
[ "$(identify -format '%m %wx%h' "$work/out/stdout.png")" = 'PNG 320x200' ] || die 'URL - > FILE'
run "${hardened[@]}" -v "$work/out:/out" "$image" "$page" /out/file.pdf > "$work/log" 2>&1 || { cat "$work/log"; die 'URL FILE'; }
qpdf --check "$work/out/file.pdf" > /dev/null || die 'URL FILE'
step 'command line: URL - and URL FILE'

port=$(node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
"${podman[@]}" run -d --name "$name" "${hardened[@]}" -e PLATEN_SERVER_BIND_ADDRESS=127.0.0.1 -e PLATEN_SERVER_BIND_PORT="$port" "$image" > /dev/null
curl -sf --retry 60 --retry-delay 1 --retry-connrefused -o /dev/null "127.0.0.1:$port/status" || { podman logs "$name"; die 'the server does not start'; }
podman exec "$name" platen healthcheck > /dev/null || die 'healthcheck'
[ "$(podman exec "$name" id -u)" = 10001 ] || die 'user'
[ "$(podman exec "$name" grep CapEff /proc/1/status | tr -d '[:blank:]')" = CapEff:0000000000000000 ] || die 'capabilities'
if podman exec "$name" sh -c ': > /opt/platen/x' 2> /dev/null; then die 'the root is writable'; fi
render() { # output type, file of the page
  node -e '
    const [type, file] = process.argv.slice(1);
    const url = `data:text/html;base64,${require("node:fs").readFileSync(file, "base64")}`;
    console.log(JSON.stringify({ url, output_type: type }));' "$1" "$2" |
    curl -s -o "$work/out/page.$1" -w '%{http_code}' --max-time 240 -H 'Content-Type: application/json' --data-binary @- "127.0.0.1:$port/"
}
echo '<!doctype html><title>hello</title><h1>hello' > "$work/page.html"
for type in png pdf mp4 wacz har; do
  code=$(render "$type" "$work/page.html")
  [ "$code" = 200 ] || { cat "$work/out/page.$type"; die "$type: $code"; }
done
identify "$work/out/page.png" > /dev/null || die png
qpdf --check "$work/out/page.pdf" > /dev/null || die pdf
[ "$(ffprobe -v error -show_entries stream=codec_name -of csv=p=0 "$work/out/page.mp4")" = h264 ] || die mp4
unzip -tq "$work/out/page.wacz" > /dev/null || die wacz
node -e 'if (JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8")).log.version !== "1.2") process.exit(1)' "$work/out/page.har" || die har
step 'server: png pdf mp4 wacz har'

[ "$(render pdf "$deploy/scripts.html")" = 200 ] || die 'the page of 20 scripts'
# Glyph 0 of each font is its empty box.
mutool trace "$work/out/page.pdf" > "$work/trace"
[ "$(grep -ac "<g " "$work/trace")" -gt 150 ] || die 'the page of 20 scripts has too few glyphs'
if grep -a "<g " "$work/trace" | grep -aE 'glyph="(0|\.notdef)"'; then die 'a letter without a glyph'; fi
step '20 scripts without an empty box'

curl -s -o "$work/out/slow.png" -w '%{http_code}' "127.0.0.1:$port/?url=data:text/html,hello&output_type=png&wait_for=5" > "$work/code" & pending=$!
until [ "$(curl -s "127.0.0.1:$port/status" | node -e 'let t = ""; process.stdin.on("data", (d) => (t += d)).on("end", () => console.log(JSON.parse(t).in_flight))')" != 0 ]; do :; done
podman stop -t 45 "$name" > /dev/null
wait "$pending"
[ "$(cat "$work/code")" = 200 ] || die "a render in progress got $(cat "$work/code") at SIGTERM"
[ "$(podman inspect "$name" --format '{{.State.ExitCode}}')" = 0 ] || die 'exit code after SIGTERM'
step 'SIGTERM: the render in progress finished, exit 0'
echo 'The image holds what it promises.'
