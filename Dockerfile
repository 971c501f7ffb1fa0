# Callboard for a team (docs/deploy.md). The database is not in the image: DATABASE_URL names a Postgres.
FROM node:22-bookworm-slim AS build
WORKDIR /app
ENV NEXT_TELEMETRY_DISABLED=1
# A change of the sources does not install the packages again.
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
# The second command compiles what Node runs, so that the image can be read-only.
RUN node bin/build.mjs --drop-cache && node bin/callboard.mjs --help > /dev/null && node bin/prune.mjs && rm -rf e2e bench stage docs/images

FROM node:22-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production \
    NEXT_TELEMETRY_DISABLED=1 \
    CALLBOARD_DATA=/data
COPY --from=build /app ./
# The user of the base image with the number 1000. The app itself belongs to root, so that no process of a project can change it.
RUN mkdir /data && chown node:node /data && chmod 700 /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/api/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/callboard.mjs", "start"]
CMD ["--only", "web"]
