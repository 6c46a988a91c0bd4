# A server with the model inside. It runs as nobody in particular, and writes to /data only:
#   docker build -t scrubjay . && docker run --read-only --tmpfs /tmp -v scrubjay:/data -p 8420:8420 scrubjay
ARG PYTHON=3.13

FROM python:${PYTHON}-slim AS build
WORKDIR /build
COPY pyproject.toml hatch_build.py README.md LICENSE CHANGELOG.md constraints.txt ./
COPY docs docs
COPY packages packages
COPY src src
RUN python -m venv /opt/scrubjay \
    && /opt/scrubjay/bin/pip install --no-cache-dir --constraint constraints.txt \
        ./packages/scrubjay-model ".[server,postgres,mcp,otel]"

FROM python:${PYTHON}-slim
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin scrubjay \
    && install -d -o scrubjay -g scrubjay /data
COPY --from=build /opt/scrubjay /opt/scrubjay
ENV PATH=/opt/scrubjay/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    SCRUBJAY_STORE=/data/store \
    SCRUBJAY_MODELS=/data/models
USER 10001
VOLUME /data
EXPOSE 8420
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8420/ready', timeout=4)"]
ENTRYPOINT ["scrubjay"]
CMD ["serve", "--host", "0.0.0.0", "--state", "/data/server"]
