{{/* A value of `config` as the text that a process reads: YAML's numbers come as floats. */}}
{{- define "gateway.text" -}}
{{- if kindIs "float64" . -}}
{{- if eq (floor .) . -}}{{ printf "%.0f" . }}{{- else -}}{{ . }}{{- end -}}
{{- else -}}{{ . }}{{- end -}}
{{- end -}}

{{/* One variable that lies in a Secret. Takes { root, name, optional }. */}}
{{- define "gateway.secretVariable" -}}
{{- $elsewhere := get .root.Values.secrets .name | default dict -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ get $elsewhere "name" | default .root.Values.existingSecret }}
      key: {{ get $elsewhere "key" | default .name }}
      {{- if and .optional (not $elsewhere) }}
      optional: true
      {{- end }}
{{- end -}}

{{/* What a pod is given of the settings. Takes { root, variables: { config, required, secrets } }. With media on a claim the object store's
key is left out, though the Secret may hold it: those settings go together. */}}
{{- define "gateway.environment" -}}
{{- $root := .root -}}
{{- range .variables.required }}
{{ include "gateway.secretVariable" (dict "root" $root "name" . "optional" false) }}
{{- end }}
{{- range .variables.secrets }}
{{- if not (and $root.Values.media.existingClaim (hasPrefix "OBJECT_STORE_" .)) }}
{{ include "gateway.secretVariable" (dict "root" $root "name" . "optional" true) }}
{{- end }}
{{- end }}
{{- range .variables.config }}
{{- if hasKey $root.Values.secrets . }}
{{ include "gateway.secretVariable" (dict "root" $root "name" . "optional" false) }}
{{- else if hasKey $root.Values.config . }}
{{- $text := include "gateway.text" (get $root.Values.config .) }}
{{- if $text }}
- name: {{ . }}
  value: {{ $text | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}
