# npm run package && docker build -t kasir .
FROM node:24-slim

ENV NODE_ENV=production
ENV HOST=0.0.0.0
ENV PORT=3000
ENV DATA_DIR=/data
ENV PATH=/opt/kasir/node_modules/.bin:$PATH

WORKDIR /opt/kasir
COPY kasir-*.tgz ./
RUN test "$(ls kasir-*.tgz | wc -l)" -eq 1 || { echo 'Leave one kasir-*.tgz here and remove the others.' >&2; exit 1; }
RUN --mount=type=cache,target=/root/.npm npm install --prefix . --no-audit --no-fund ./kasir-*.tgz
RUN rm kasir-*.tgz
RUN install -d -o 1000 -g 1000 -m 700 "$DATA_DIR"

# The user `node` of the image.
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["node", "-e", "const s = process.env.TLS_CERT ? 's' : ''; require(`http${s}`).get(`http${s}://127.0.0.1:${process.env.PORT}/api/v1/health`, { rejectUnauthorized: false }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
CMD ["kasir", "serve"]
