{{/* Refuses early what would fail late, and names the value. */}}
{{- define "gateway.validate" -}}
{{- $known := .Files.Get "files/variables.json" | fromJson -}}
{{- if not .Values.existingSecret -}}
{{- fail "existingSecret is missing: the name of the Secret with DATABASE_URL, CACHE_URL, AMQP_URL, JWT_SECRET, JWT_REFRESH_SECRET and ENCRYPTION_KEY." -}}
{{- end -}}
{{- if and (not (include "gateway.text" (get .Values.config "KAFKA_BROKERS" | default ""))) (not (hasKey .Values.secrets "KAFKA_BROKERS")) -}}
{{- fail "config.KAFKA_BROKERS is missing: comma-separated <host>:<port>. PostgreSQL, RabbitMQ, Kafka and Redis are not part of this chart." -}}
{{- end -}}
{{- $store := or (get .Values.config "OBJECT_STORE_ENDPOINT") (hasKey .Values.secrets "OBJECT_STORE_ENDPOINT") -}}
{{- if and (not .Values.media.existingClaim) (not $store) -}}
{{- fail "media.existingClaim (ReadWriteMany) or config.OBJECT_STORE_ENDPOINT is missing: media must lie where all pods reach them, and outlive them." -}}
{{- end -}}
{{- if and .Values.media.existingClaim $store -}}
{{- fail "media.existingClaim and config.OBJECT_STORE_ENDPOINT exclude each other: media lie in one place." -}}
{{- end -}}
{{- with .Values.media.existingClaim -}}
{{- with lookup "v1" "PersistentVolumeClaim" $.Release.Namespace . -}}
{{- if not (has "ReadWriteMany" .spec.accessModes) -}}
{{- fail (printf "media.existingClaim: the claim %s can be written from one node only (%s); the pods are on several. It must be ReadWriteMany." .metadata.name (join ", " .spec.accessModes)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $name, $_ := .Values.secrets -}}
{{- if not (has $name $known.all) -}}{{- fail (printf "secrets.%s: no service knows this variable." $name) -}}{{- end -}}
{{- if hasKey $.Values.config $name -}}{{- fail (printf "config.%s and secrets.%s exclude each other." $name $name) -}}{{- end -}}
{{- end -}}
{{- with lookup "v1" "Secret" .Release.Namespace .Values.existingSecret -}}
{{- $held := .data | default dict -}}
{{- range $known.required -}}
{{- if and (not (hasKey $held .)) (not (hasKey $.Values.secrets .)) -}}
{{- fail (printf "existingSecret: the Secret %s has no key %s." $.Values.existingSecret .) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if or .Values.ingress.enabled .Values.httpRoute.enabled -}}
{{- if has (include "gateway.text" (get .Values.config "TRUST_PROXY" | default "false")) (list "" "false" "0") -}}
{{- fail "config.TRUST_PROXY is missing: behind an ingress all clients would share its address, and so one throttle. The number of proxies in a row, such as 1." -}}
{{- end -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.ingress.hosts) -}}{{- fail "ingress.hosts is missing." -}}{{- end -}}
{{- if and .Values.httpRoute.enabled (not .Values.httpRoute.parentRefs) -}}{{- fail "httpRoute.parentRefs is missing: the Gateway that the route belongs to." -}}{{- end -}}
{{- if and .Values.networkPolicy.enabled (not .Values.networkPolicy.servers) -}}
{{- fail "networkPolicy.servers is missing: rules of egress to PostgreSQL, RabbitMQ, Kafka, Redis and the object store." -}}
{{- end -}}
{{- if and .Values.networkPolicy.enabled (not .Values.networkPolicy.extraEgress) -}}
{{- range $name := list "OTEL_EXPORTER_OTLP_ENDPOINT" "ERROR_TRACKING_DSN" -}}
{{- if or (get $.Values.config $name) (hasKey $.Values.secrets $name) -}}
{{- fail (printf "networkPolicy.extraEgress is missing: a rule of egress to what %s names; most pods reach no other address." $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and .Values.backup.enabled (not $store) -}}{{- fail "backup.enabled needs an object store: config.OBJECT_STORE_ENDPOINT." -}}{{- end -}}
{{- if .Values.restore.enabled -}}
{{- if not .Values.paused -}}{{- fail "restore.enabled needs paused: true: nothing may run on the database meanwhile." -}}{{- end -}}
{{- if not $store -}}{{- fail "restore.enabled needs an object store: config.OBJECT_STORE_ENDPOINT." -}}{{- end -}}
{{- end -}}
{{- $partitions := get .Values.config "KAFKA_PARTITIONS" | default 12 | int -}}
{{- range $service, $_ := include "gateway.services" . | fromJson -}}
{{- $scaling := (get $.Values.services $service).autoscaling -}}
{{- if $scaling.enabled -}}
{{- if and (has $service (list "inbox" "insights" "campaigns" "automation")) (gt (int $scaling.maxReplicas) $partitions) -}}
{{- fail (printf "services.%s.autoscaling.maxReplicas: more than config.KAFKA_PARTITIONS (%d) replicas take in no more events." $service $partitions) -}}
{{- end -}}
{{- if and (eq $.Values.autoscaling.kind "keda") (not $.Values.autoscaling.prometheus.serverAddress) -}}
{{- fail "autoscaling.prometheus.serverAddress is missing: KEDA asks Prometheus." -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* How long a pod may take to end, seconds. Takes { root, isGateway }. */}}
{{- define "gateway.grace" -}}
{{- $usual := add 28 5 -}}
{{- if .isGateway -}}
{{- $delay := get .root.Values.config "SHUTDOWN_DELAY_SECONDS" | default 0 | float64 | ceil | int -}}
{{- add $usual 5 $delay -}}
{{- else -}}{{- $usual -}}{{- end -}}
{{- end -}}
