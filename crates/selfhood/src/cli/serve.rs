//! The definitions of `selfhood init` and `selfhood serve`.

use clap::Args;

/// Makes a home.
#[derive(Args)]
#[command(after_help = "\
Examples:
  selfhood init                 the home in your data folder, keys beside it
  selfhood init --demo          a separate home with an example persona
  selfhood init --home ~/self --keys /media/stick/keys -o quiet")]
pub(crate) struct Init {
    /// Use a separate home with an example persona, its timeline and three weeks of memories.
    #[arg(long)]
    pub(crate) demo: bool,
}

/// Serves a home.
#[derive(Args)]
#[command(after_help = "\
Examples:
  selfhood serve                                        on 127.0.0.1:7337
  selfhood serve --demo --port 0                        an example persona, on any free port
  selfhood serve --demo --open                          the same, in the browser
  selfhood serve --check                                is everything ready to serve?
  selfhood serve --addr 0.0.0.0 --tls-cert chain.pem --tls-key key.pem
  selfhood serve --public-url https://memory.example.org      behind a reverse proxy")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct Serve {
    /// Use a separate home with an example persona, its timeline and three weeks of memories.
    #[arg(long)]
    pub(crate) demo: bool,
    /// The port; 0 takes any free one.
    #[arg(long, value_name = "N")]
    pub(crate) port: Option<String>,
    /// The address to listen on; listening for other machines needs an address here or in the settings.
    #[arg(long, value_name = "IP")]
    pub(crate) addr: Option<String>,
    /// The certificate chain (PEM), for TLS.
    #[arg(long, value_name = "FILE")]
    pub(crate) tls_cert: Option<String>,
    /// The certificate's private key (PEM).
    #[arg(long, value_name = "FILE")]
    pub(crate) tls_key: Option<String>,
    /// The public URL, behind a reverse proxy.
    #[arg(long, value_name = "URL")]
    pub(crate) public_url: Option<String>,
    /// Check the settings, certificate, models, keys and address, report what is wrong, and change nothing.
    #[arg(long, conflicts_with_all = ["demo", "open"])]
    pub(crate) check: bool,
    /// Open the page in the browser, signed in.
    #[arg(long)]
    pub(crate) open: bool,
    /// Read the page's sources from the source folder, for development.
    #[arg(long)]
    pub(crate) dev: bool,
    /// The log level on stderr: error, warn, info, debug.
    #[arg(long, value_name = "LEVEL")]
    pub(crate) log: Option<String>,
}

impl Serve {
    pub(super) fn given(&self, flag: &str) -> Option<String> {
        match flag {
            "--port" => self.port.clone(),
            "--addr" => self.addr.clone(),
            "--tls-cert" => self.tls_cert.clone(),
            "--tls-key" => self.tls_key.clone(),
            "--public-url" => self.public_url.clone(),
            "--log" => self.log.clone(),
            _ => None,
        }
    }
}
