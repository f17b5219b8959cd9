umask 0022
user=bocajail
id -u $user > /dev/null 2>&1 || user=nobody
safeexec=$(command -v safeexec || echo /usr/bin/safeexec)
[ -x "$safeexec" ] || { echo "there is no safeexec"; exit 46; }
root=/
here=$PWD
case $here in */bocajail/*) root=${here%%/bocajail/*}/bocajail; here=${here#"$root"} ;; esac
