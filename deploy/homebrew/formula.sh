#!/bin/sh
# Prints the Homebrew formula of a release from the checksums of its archives, so that no number is copied by hand.
#   deploy/homebrew/formula.sh VERSION ADDRESS FOLDER > selfhood.rb
# ADDRESS is where the archives can be fetched (…/releases/download/v1.2.3), FOLDER holds their `.sha256` files.
set -eu

version=$1 address=$2 folder=$3

# One archive: its address, and its checksum as the release has it.
archive() {
    name="selfhood-$version-$1.tar.gz"
    sum=$(cut -d ' ' -f 1 < "$folder/$name.sha256")
    # A missing or damaged checksum would make a formula that nobody can install.
    printf '%s' "$sum" | grep -Eqx '[0-9a-f]{64}' || { echo "$name.sha256 holds no checksum" >&2; exit 1; }
    printf '      url "%s/%s"\n      sha256 "%s"\n' "$address" "$name" "$sum"
}

# In variables, because a failure inside the text below would not end the script.
macos_arm=$(archive aarch64-apple-darwin)
macos_intel=$(archive x86_64-apple-darwin)
linux_arm=$(archive aarch64-unknown-linux-gnu)
linux_intel=$(archive x86_64-unknown-linux-gnu)

cat << FORMULA
class Selfhood < Formula
  desc "Gives AI personas a self, with memories that fade and can be forgotten"
  homepage "${address%/releases/download/*}"
  version "$version"
  license "Apache-2.0"

  on_macos do
    on_arm do
$macos_arm
    end
    on_intel do
$macos_intel
    end
  end

  on_linux do
    on_arm do
$linux_arm
    end
    on_intel do
$linux_intel
    end
  end

  def install
    bin.install "selfhood"
    doc.install "README.md", "CHANGELOG.md", "NOTICE"
    generate_completions_from_executable(bin/"selfhood", "completions")
    system bin/"selfhood", "man", "manual-pages"
    man1.install Dir["manual-pages/*.1"]
  end

  # Without a home named here it would use the one of the person who started it, as the commands do.
  service do
    run [opt_bin/"selfhood", "serve"]
    keep_alive crashed: true
    log_path var/"log/selfhood.log"
    error_log_path var/"log/selfhood.log"
  end

  def caveats
    <<~EOS
      Your data and your keys are made by the first command that needs them:
        ~/.local/share/selfhood        the data
        ~/.local/share/selfhood.keys   the keys; keep a copy of them in another place
    EOS
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/selfhood --version")
    system bin/"selfhood", "--home", testpath/"home", "init", "--demo"
    assert_match "sauna", shell_output("#{bin}/selfhood --home #{testpath}/home memory list sauna")
  end
end
FORMULA
