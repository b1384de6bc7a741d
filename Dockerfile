# syntax=docker/dockerfile:1
# The digest names the image for all platforms. After a change of the tag: docker buildx imagetools inspect node:<tag>
# Runtime dependencies without build dependencies and without install scripts. The libraries for Alpine do not fit this image.
FROM node:26.10.0-bookworm-slim@sha256:662933cf47f013bc8e4beb31a6116448427a82057ba7c42c97e4c5ba766504c2 AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts && rm -rf node_modules/@libsql/*-musl

FROM node:26.10.0-bookworm-slim@sha256:662933cf47f013bc8e4beb31a6116448427a82057ba7c42c97e4c5ba766504c2 AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY test/config ./test/config
COPY connectors ./connectors
COPY src ./src
COPY docs/openapi ./docs/openapi
RUN npm run build

# Ordered from rarely to often changed layers.
FROM node:26.10.0-bookworm-slim@sha256:662933cf47f013bc8e4beb31a6116448427a82057ba7c42c97e4c5ba766504c2 AS service
ENV NODE_ENV=production PLUMBLINE_SERVER_HOST=0.0.0.0
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY fixtures/killbill/demo/data.br ./fixtures/killbill/demo/data.br
COPY fixtures/lago/demo/data.br ./fixtures/lago/demo/data.br
COPY fixtures/stripe/demo/data.br ./fixtures/stripe/demo/data.br
COPY examples ./examples
COPY package.json LICENSE ./
COPY sql ./sql
COPY connectors ./connectors
COPY docs/openapi ./docs/openapi
COPY --from=build /app/dist ./dist
# The user `node` of the base image, as a number, so that an orchestrator can verify that it is not root. The store is in /data/plumbline-data.
RUN install -d -o 1000 -g 1000 /data
USER 1000:1000
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s CMD ["node", "/app/dist/src/app/bin/healthcheck.js"]
ENTRYPOINT ["node", "/app/dist/src/app/bin/cli.js"]
CMD ["serve"]

# Serves the sample data: docker build --target demo .
FROM service AS demo
CMD ["demo", "--host", "0.0.0.0"]

# The default target.
FROM service
