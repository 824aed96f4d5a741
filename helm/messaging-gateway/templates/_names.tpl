{{/* What stands before the name of everything. */}}
{{- define "gateway.prefix" -}}
{{- .Values.fullnameOverride | default .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{/* Labels of an object. Takes { root, component? }. */}}
{{- define "gateway.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{ include "gateway.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: messaging-gateway
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- end -}}

{{/* Labels by which pods are found: they never change. Takes { root, component? }. */}}
{{- define "gateway.selector" -}}
app.kubernetes.io/name: messaging-gateway
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end -}}

{{- define "gateway.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}{{ .repository }}@{{ .digest }}{{- else -}}{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}{{- end -}}
{{- end -}}
{{- end -}}

{{/* Services that have pods, as JSON: { <name>: { config, required, secrets, internet } }. In pods of the gateway, sessions lends its variables. */}}
{{- define "gateway.services" -}}
{{- $all := .Files.Get "files/services.json" | fromJson -}}
{{- if eq .Values.engineHost "api" -}}
{{- $sessions := get $all "sessions" -}}
{{- $gateway := get $all "gateway" -}}
{{- $both := dict "internet" true -}}
{{- range $kind := list "config" "required" "secrets" -}}
{{- $_ := set $both $kind (concat (get $gateway $kind) (get $sessions $kind) | uniq | sortAlpha) -}}
{{- end -}}
{{- $_ := set $all "gateway" $both -}}
{{- $_ := unset $all "sessions" -}}
{{- end -}}
{{- $all | toJson -}}
{{- end -}}

{{/* Values of the pods of a service, as JSON: those of all and its own. Takes { root, service }. */}}
{{- define "gateway.podValues" -}}
{{- $own := get .root.Values.services .service | default dict -}}
{{- $merged := mergeOverwrite (deepCopy .root.Values.podDefaults) (deepCopy $own) -}}
{{- range $list := list "tolerations" "extraEnv" "extraEnvFrom" "extraVolumes" "extraVolumeMounts" -}}
{{- $_ := set $merged $list (concat (get $.root.Values.podDefaults $list | default list) (get $own $list | default list)) -}}
{{- end -}}
{{- $merged | toJson -}}
{{- end -}}
