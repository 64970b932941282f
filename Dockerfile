# syntax=docker/dockerfile:1
FROM python:3.12-slim AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /src
COPY requirements.txt requirements-build.txt ./
RUN python -m venv /opt/trickbook \
    && /opt/trickbook/bin/pip install --require-hashes -r requirements.txt \
    && pip install --require-hashes -r requirements-build.txt
COPY . .
RUN pip wheel --no-deps --no-build-isolation --wheel-dir /dist . \
    && /opt/trickbook/bin/pip install --no-deps --no-index /dist/*.whl

FROM python:3.12-slim
# A folder's owner passes on to the volume first mounted there.
RUN useradd --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin trickbook \
    && install -d -o trickbook -g trickbook /data /password /client
COPY --from=build /opt/trickbook /opt/trickbook
ENV PATH=/opt/trickbook/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 TRICKBOOK_DATA=/data
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
    CMD ["python", "-c", "import urllib.request as web; web.urlopen('http://127.0.0.1:8000/health/ready', timeout=2)"]
ENTRYPOINT ["trickbook"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8000", "--data", "/data"]
