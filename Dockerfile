# Build: docker build -t durak-bot .   Run: see compose.yaml.
FROM python:3.12-slim
RUN useradd --create-home durak && mkdir /data && chown durak /data
COPY pyproject.toml README.md LICENSE /src/
COPY adapters /src/adapters
COPY bot /src/bot
COPY engine /src/engine
RUN pip install --no-cache-dir '/src[postgresql]' && rm -r /src
USER durak
WORKDIR /data
ENV DURAK_DATABASE_URL=sqlite+aiosqlite:////data/durak.db DURAK_HTTP_HOST=0.0.0.0
EXPOSE 8080
HEALTHCHECK CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8080/healthz')"]
CMD ["durak-bot"]
