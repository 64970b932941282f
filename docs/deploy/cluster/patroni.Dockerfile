# syntax=docker/dockerfile:1
# PostgreSQL 17 with Patroni. `compose.yaml` builds it; the folder of this file is all that it needs.
FROM postgres:17
RUN apt-get update \
    && apt-get install --yes --no-install-recommends python3-venv \
    && rm -rf /var/lib/apt/lists/* \
    && python3 -m venv /opt/patroni \
    && /opt/patroni/bin/pip install --no-cache-dir 'patroni[etcd3,psycopg3]==4.1.5' \
    && install -d -o postgres -g postgres -m 700 /var/lib/postgresql/node
COPY patroni.yaml node.sh create_database.sh /opt/cluster/
ENV PATH=/opt/patroni/bin:$PATH
USER postgres
VOLUME /var/lib/postgresql/node
STOPSIGNAL SIGTERM
ENTRYPOINT ["/bin/sh", "/opt/cluster/node.sh"]
