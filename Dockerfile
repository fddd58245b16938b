# syntax=docker/dockerfile:1

# Installs, builds and picks out what runs. This stage's own Node only has to run npm: build and service run on the Node
# that the lock file pins. Same Debian as the last stage, since one of its libraries goes there.
FROM node:26-trixie-slim AS build
RUN apt-get update && apt-get install --yes --no-install-recommends binutils
WORKDIR /marque
COPY .npmrc package.json package-lock.json ./
COPY decoder/package.json decoder/
COPY catalog/package.json catalog/
COPY service/package.json service/
COPY client/package.json client/
COPY scripts/oldest-node/package.json scripts/oldest-node/
RUN npm ci --omit=dev
ENV PATH=/marque/node_modules/.bin:$PATH
COPY . .
# `npm run check` checks the types.
RUN node scripts/transpile.ts && node scripts/bundle.ts && node catalog/dist/src/cli.js ensure
RUN node deploy/docker/assemble.js /image
# Names for debuggers are a fifth of Node's binary.
RUN strip --strip-unneeded /image/marque/bin/node

# The C library, the C++ library and certificates; no shell, no package manager.
FROM gcr.io/distroless/cc-debian13:nonroot
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Marque" \
  org.opencontainers.image.description="Open VIN decoding service: what a vehicle is, from its VIN, metered exactly." \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="$VERSION" \
  org.opencontainers.image.revision="$REVISION"
COPY --from=build /image/marque /marque
# An unnamed volume takes over the owner of what it covers.
COPY --from=build --chown=65532:65532 /image/data /data
ENV PATH=/marque/bin \
  LD_LIBRARY_PATH=/marque/lib \
  NODE_ENV=production \
  GLIBC_TUNABLES=glibc.malloc.mmap_threshold=65536:glibc.malloc.trim_threshold=131072 \
  HOST=0.0.0.0 \
  PORT=8080 \
  DATA_DIR=/data
WORKDIR /marque
# By number, so that Kubernetes can see that it is not root.
USER 65532:65532
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["/marque/bin/node", "/marque/service/bundle/cli.js", "health"]
ENTRYPOINT ["/marque/bin/node", "--max-semi-space-size=8", "/marque/service/bin/marque.js"]
CMD ["serve"]
