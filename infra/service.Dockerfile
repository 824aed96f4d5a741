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
ENV API_PORT=3333 HEALTH_PORT=3100 SESSIONS_DIR=/data/sessions MEDIA_DIR=/data/media
EXPOSE 3333 3100
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --start-interval=1s --retries=3 \
  CMD ["node", "infra/service-image/health.mjs"]
CMD ["services/gateway/src/main.ts"]
