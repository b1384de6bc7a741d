# syntax=docker/dockerfile:1
# What the program needs to run, without what it needs to be built and without scripts of packages. The libraries of Alpine are for another system.
FROM node:26.10.0-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts && rm -rf node_modules/@libsql/*-musl

FROM node:26.10.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY test/config ./test/config
COPY connectors ./connectors
COPY src ./src
RUN npm run build

# From what changes seldom to what changes often.
FROM node:26.10.0-bookworm-slim AS service
ENV NODE_ENV=production PLUMBLINE_SERVER_HOST=0.0.0.0
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY fixtures/killbill/real ./fixtures/killbill/real
COPY fixtures/killbill/demo ./fixtures/killbill/demo
COPY examples ./examples
COPY package.json LICENSE ./
COPY sql ./sql
COPY connectors ./connectors
COPY --from=build /app/dist ./dist
# The user `node` of the base image, by number: an orchestrator can tell that it is not root. The store lies in plumbline-data below /data.
RUN install -d -o 1000 -g 1000 /data
USER 1000:1000
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s CMD ["node", "/app/dist/src/app/bin/healthcheck.js"]
ENTRYPOINT ["node", "/app/dist/src/app/bin/cli.js"]
CMD ["serve"]

# With the sample data loaded, so that it answers at once: docker build --target demo .
FROM service AS demo
RUN node /app/dist/src/app/bin/cli.js demo --once
CMD ["demo", "--host", "0.0.0.0"]

# What is built where no target is named.
FROM service
