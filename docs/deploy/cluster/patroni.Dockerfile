# syntax=docker/dockerfile:1
# PostgreSQL 17 with Patroni. `compose.yaml` builds it; the folder of this file is all that it needs.
FROM postgres:17
COPY requirements.txt /opt/cluster/
RUN apt-get update \
    && apt-get install --yes --no-install-recommends python3-venv \
    && rm -rf /var/lib/apt/lists/* \
    && python3 -m venv /opt/patroni \
    && /opt/patroni/bin/pip install --no-cache-dir --require-hashes -r /opt/cluster/requirements.txt \
    && install -d -o postgres -g postgres -m 700 /var/lib/postgresql/node
COPY patroni.yaml node.sh create_database.sh /opt/cluster/
ENV PATH=/opt/patroni/bin:$PATH
USER postgres
VOLUME /var/lib/postgresql/node
STOPSIGNAL SIGTERM
ENTRYPOINT ["/bin/sh", "/opt/cluster/node.sh"]
