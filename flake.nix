# Selfhood for Nix:
#   nix build .#                                        the program, in result/bin
#   nix run .# -- serve --demo
#   nix shell .# --command selfhood --version
# In the configuration of a NixOS machine: inputs.selfhood.nixosModules.default and services.selfhood.enable = true.
# No test runs in the build: `cargo xtask test` wants a browser and a database.
{
  description = "Gives AI personas a self: an identity, a life story, and memories that fade and can be forgotten for good";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { self, nixpkgs }:
    let
      lib = nixpkgs.lib;
      systems = [
        "x86_64-linux"
        "aarch64-linux"
        "x86_64-darwin"
        "aarch64-darwin"
      ];
      manifest = (lib.importTOML ./Cargo.toml).workspace.package;

      # What the program is built of. The documents are in it, too: a server shows them at `/guide`.
      source = lib.fileset.toSource {
        root = ./.;
        fileset = lib.fileset.unions [
          ./.cargo
          ./Cargo.lock
          ./Cargo.toml
          ./LICENSE
          ./NOTICE
          ./README.md
          ./CHANGELOG.md
          ./clients
          ./crates
          ./deploy
          ./docs
          ./model
          ./schemas
          ./tests
          ./web
          ./xtask
        ];
      };

      package =
        pkgs:
        pkgs.rustPlatform.buildRustPackage {
          pname = "selfhood";
          version = manifest.version;
          src = source;
          cargoLock.lockFile = ./Cargo.lock;
          cargoBuildFlags = [
            "--package"
            "selfhood"
          ];
          doCheck = false;
          nativeBuildInputs = [ pkgs.installShellFiles ];
          postInstall = ''
            install -D --mode 0644 --target-directory "$out/share/doc/selfhood" README.md LICENSE NOTICE CHANGELOG.md
          ''
          + lib.optionalString (pkgs.stdenv.buildPlatform.canExecute pkgs.stdenv.hostPlatform) ''
            "$out/bin/selfhood" man manual-pages
            installManPage manual-pages/*.1
            installShellCompletion --cmd selfhood \
              --bash <("$out/bin/selfhood" completions bash) \
              --fish <("$out/bin/selfhood" completions fish) \
              --zsh <("$out/bin/selfhood" completions zsh)
          '';
          meta = {
            description = "Gives AI personas a self, with memories that fade and can be forgotten for good";
            license = lib.licenses.asl20;
            mainProgram = "selfhood";
            platforms = systems;
          };
        };
    in
    {
      packages = lib.genAttrs systems (system: {
        default = package nixpkgs.legacyPackages.${system};
      });

      # The unit of the other installations with this program in it, so that its protection stands in one file only.
      nixosModules.default =
        {
          config,
          lib,
          pkgs,
          ...
        }:
        let
          settings = config.services.selfhood;
        in
        {
          options.services.selfhood = {
            enable = lib.mkEnableOption "Selfhood";
            package = lib.mkOption {
              type = lib.types.package;
              default = self.packages.${pkgs.stdenv.hostPlatform.system}.default;
              description = "The program.";
            };
            environmentFile = lib.mkOption {
              type = lib.types.nullOr lib.types.path;
              default = null;
              description = "Settings and credentials as lines of SELFHOOD_NAME=value; see docs/configuration.md.";
            };
          };

          config = lib.mkIf settings.enable {
            users.groups.selfhood = { };
            users.users.selfhood = {
              isSystemUser = true;
              group = "selfhood";
              home = "/var/lib/selfhood";
            };
            environment.systemPackages = [ settings.package ];
            systemd.packages = [
              (pkgs.writeTextDir "lib/systemd/system/selfhood.service" (
                lib.replaceStrings
                  [ "/usr/bin/selfhood" "/usr/share/doc" ]
                  [ (lib.getExe settings.package) "${settings.package}/share/doc" ]
                  (builtins.readFile ./deploy/systemd/selfhood.service)
              ))
            ];
            systemd.services.selfhood = {
              wantedBy = [ "multi-user.target" ];
              serviceConfig.EnvironmentFile = lib.mkIf (settings.environmentFile != null) [ settings.environmentFile ];
            };
          };
        };
    };
}
