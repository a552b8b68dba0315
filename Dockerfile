# syntax=docker/dockerfile:1
# Selfhood in a small image: built with cargo, run as nobody in particular, with a read-only root if you like.
#   docker build -t selfhood .
#   docker run --read-only --tmpfs /tmp -p 127.0.0.1:7337:7337 -v selfhood-data:/var/lib/selfhood -v selfhood-keys:/var/lib/selfhood-keys selfhood
# Backups that are sent to a bucket or tried need room in /tmp; for large ones mount a volume there.

FROM rust:1.95-slim-bookworm AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc=4:12.* libc6-dev=2.36-* make=4.3-* \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
# Dependencies and what is built of them stay in the builder's cache between builds.
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/source/target \
    cargo build --release --locked -p selfhood \
    && cp target/release/selfhood /selfhood

FROM debian:bookworm-slim
LABEL org.opencontainers.image.title="Selfhood" \
      org.opencontainers.image.licenses="Apache-2.0"
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates=2023* \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --system --gid 10001 selfhood \
    && useradd --system --uid 10001 --gid 10001 --home-dir /var/lib/selfhood --shell /usr/sbin/nologin selfhood \
    && install --directory --owner selfhood --group selfhood --mode 0700 \
        /var/lib/selfhood /var/lib/selfhood-keys /var/backups/selfhood
COPY --from=build /selfhood /usr/local/bin/selfhood
COPY LICENSE NOTICE /usr/share/doc/selfhood/
USER 10001:10001
ENV SELFHOOD_HOME=/var/lib/selfhood \
    SELFHOOD_KEYS=/var/lib/selfhood-keys
VOLUME ["/var/lib/selfhood", "/var/lib/selfhood-keys"]
EXPOSE 7337
# `/readyz` answers to any name and without a key; bash speaks to the port by itself, so no curl is needed.
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/7337 && printf 'GET /readyz HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3 && read -r line <&3 && [[ $line == *' 200 '* ]]"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["selfhood"]
CMD ["serve", "--addr", "0.0.0.0", "--port", "7337"]
