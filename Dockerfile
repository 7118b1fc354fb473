# An image with the command `sab`, and nothing that builds it.
#
#   docker build -t sab .
#   docker build -t sab --build-arg EXTRAS=bucket --build-arg PACKAGES="openai-agents==0.24.0" .
#
# Your own agent in an image of your own:
#
#   FROM sab
#   COPY my_shop.py /work/
ARG PYTHON=3.13

FROM python:${PYTHON}-slim AS build
WORKDIR /src
COPY . .
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:${PYTHON}-slim
ARG EXTRAS=""
ARG PACKAGES=""
LABEL org.opencontainers.image.title="SupportAgentBench" \
      org.opencontainers.image.description="Can this AI agent run a support desk?" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /wheels /wheels
COPY constraints.txt /wheels/
# Into Python's own folder, which is on the path of every shell. PACKAGES are several words.
# hadolint ignore=DL3013,SC2086
RUN pip install --no-cache-dir --constraint /wheels/constraints.txt \
      "$(echo /wheels/*.whl)${EXTRAS:+[$EXTRAS]}" ${PACKAGES} \
 && rm -r /wheels \
 && groupadd --gid 65532 sab \
 && useradd --uid 65532 --gid sab --no-create-home --home-dir /tmp --shell /usr/sbin/nologin sab
ENV HOME=/tmp PYTHONUNBUFFERED=1
WORKDIR /work
USER 65532:65532
ENTRYPOINT ["sab"]
CMD ["--help"]
