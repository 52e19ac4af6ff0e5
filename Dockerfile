# Build: docker build -t durak-bot .   Run: see compose.yaml.
# The digest names one image for ever. To move to a newer one: docker pull python:3.12-slim, and put its digest here.
FROM python:3.12.14-slim-trixie@sha256:78387bc3881b8273120a12ebe6c1ab22b018ccc2c9adf565ae1ac9b536e184ea AS libraries
# Every library, and what builds the bot itself, is the very file that was tested: its hash is in the lock.
COPY requirements.lock /src/
RUN pip install --no-cache-dir --require-hashes -r /src/requirements.lock

FROM libraries AS wheel
# What bundles the page's scripts and styles, and what compiles the search; their hashes are in locks as well.
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev nodejs npm
COPY requirements-compile.lock /src/
RUN pip install --no-cache-dir --require-hashes -r /src/requirements-compile.lock
COPY tests/adapters/page/scripts/package.json tests/adapters/page/scripts/package-lock.json /src/tests/adapters/page/scripts/
RUN npm ci --omit=dev --prefix /src/tests/adapters/page/scripts
COPY pyproject.toml setup.py README.md LICENSE /src/
COPY adapters /src/adapters
COPY bot /src/bot
COPY engine /src/engine
# The commit, for `durak-bot --version`: docker build --build-arg SOURCE_COMMIT=$(git rev-parse HEAD) .
ARG SOURCE_COMMIT
RUN DURAK_COMPILE=1 pip wheel --no-deps --no-build-isolation --wheel-dir /wheels /src

FROM libraries
# Fonts for names that are neither Latin nor Cyrillic, and what puts letters that run from right to left in order.
RUN apt-get update && apt-get install -y --no-install-recommends fonts-noto-core fonts-noto-cjk libfribidi0 \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --create-home durak && mkdir /data && chown durak /data
RUN --mount=from=wheel,source=/wheels,target=/wheels pip install --no-cache-dir --no-deps /wheels/*.whl
USER durak
WORKDIR /data
ENV DURAK_DATABASE_URL=sqlite+aiosqlite:////data/durak.db DURAK_HTTP_HOST=0.0.0.0
EXPOSE 8080
HEALTHCHECK --start-period=10m CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8080/healthz')"]
CMD ["durak-bot"]
