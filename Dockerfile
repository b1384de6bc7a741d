# syntax=docker/dockerfile:1
FROM node:20.19.5-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY tsconfig.json ./
COPY src ./src
COPY connectors ./connectors
COPY sql ./sql
COPY fixtures/killbill/real ./fixtures/killbill/real
COPY test/config ./test/config
RUN npm run build && npm prune --omit=dev

FROM node:20.19.5-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE* ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/sql ./sql
COPY --from=build /app/connectors ./connectors
COPY --from=build /app/fixtures ./fixtures
RUN install -d -o node -g node /data
USER node
WORKDIR /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD node -e "fetch('http://127.0.0.1:8000/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"
ENTRYPOINT ["node", "/app/dist/src/bin/cli.js"]
CMD ["serve", "--host", "0.0.0.0"]
