# One image for all services: the command names the one to run. Build context: the repository.
# The version is the one in package.json.
FROM node:24.21.0-slim AS manifests
WORKDIR /app
COPY . .
RUN node infra/service-image/manifests.mjs

FROM node:24.21.0-slim AS modules
WORKDIR /app
COPY --from=manifests /app .
# `npm install` and not `npm ci`: the lock file names no optional packages of other systems.
RUN npm install --omit=dev --ignore-scripts --no-audit --no-fund
COPY infra/service-image/prune.sh infra/service-image/prune.sh
RUN sh infra/service-image/prune.sh

# The web UI: what builds it stays behind.
FROM node:24.21.0-slim AS page-manifests
WORKDIR /app
COPY . .
RUN node infra/service-image/manifests.mjs pages

FROM node:24.21.0-slim AS page-sources
WORKDIR /app
COPY --from=page-manifests /app .
RUN npm install --omit=dev --ignore-scripts --no-audit --no-fund
COPY tsconfig.base.json tsconfig.base.json
COPY contracts contracts
COPY services/admin services/admin

# As the gateway serves it: the API is where the page is.
FROM page-sources AS pages
ARG ADMIN_PUBLIC_DEMO_MODE=
RUN node node_modules/vite/bin/vite.js build services/admin --logLevel error

# As it is served by itself: the API is elsewhere.
FROM page-sources AS pages-elsewhere
ARG ADMIN_PUBLIC_API_URL=http://localhost:3333
ARG ADMIN_PUBLIC_DEMO_MODE=
RUN node node_modules/vite/bin/vite.js build services/admin --logLevel error

# What all stages below share: modules, contracts and libraries, no right to write, no privileges.
FROM node:24.21.0-slim AS base
# As process 1 Node.js would not hear SIGTERM before it has a handler, and would collect no orphans.
RUN apt-get update && apt-get install -y --no-install-recommends tini && rm -rf /var/lib/apt/lists/*
WORKDIR /app
ENV NODE_ENV=production
COPY --from=modules /app .
COPY contracts contracts
COPY libs libs
USER 1000:1000
ENTRYPOINT ["tini", "--", "node", "--disable-warning=ExperimentalWarning"]

# The simulated network, for trying without a phone (docker-compose.yml, profile "simulator").
FROM base AS simulator
COPY infra/network-simulator infra/network-simulator
ENV SIMULATOR_HOST=0.0.0.0 SIMULATOR_PORT=3900
EXPOSE 3900 3901
CMD ["infra/network-simulator/src/main.ts"]

# The web UI by itself, on a port or host of its own (docker-compose.yml, `admin`).
FROM base AS admin
COPY infra/service-image/health.mjs infra/service-image/health.mjs
COPY services/admin/src services/admin/src
COPY --from=pages-elsewhere /app/services/admin/dist services/admin/dist
ARG ADMIN_PUBLIC_API_URL=http://localhost:3333
ENV ADMIN_PUBLIC_API_URL=$ADMIN_PUBLIC_API_URL ADMIN_PORT=3001 HEALTH_PORT=3001
EXPOSE 3001
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --start-interval=1s --retries=3 \
  CMD ["node", "infra/service-image/health.mjs"]
CMD ["services/admin/src/main.ts"]

FROM base AS service
USER 0:0
# ffmpeg makes voice notes of other audio (services/outbound); the command line of operators is in PATH, for `kubectl exec`.
RUN apt-get update && apt-get install -y --no-install-recommends ffmpeg && rm -rf /var/lib/apt/lists/* \
  && ln -s /app/messaging-gateway /usr/local/bin/messaging-gateway
# A new volume for media that is mounted here takes over who may write.
WORKDIR /data
RUN mkdir media && chmod 1777 media
WORKDIR /app
USER 1000:1000
COPY infra/service-image/health.mjs infra/service-image/health.mjs
# `docker run IMAGE messaging-gateway <verb>`: the entry point is Node.js, which looks here.
COPY infra/service-image/messaging-gateway messaging-gateway
COPY services services
COPY --from=pages /app/services/admin/dist services/admin/dist
ENV API_PORT=3333 HEALTH_PORT=3100 SESSIONS_DIR=/data/sessions MEDIA_DIR=/data/media
EXPOSE 3333 3100
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --start-interval=1s --retries=3 \
  CMD ["node", "infra/service-image/health.mjs"]
CMD ["services/gateway/src/main.ts"]
