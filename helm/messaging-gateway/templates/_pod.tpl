{{- define "gateway.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "gateway.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* What all pods of the image have: the rest of a pod's specification. Takes { root }. */}}
{{- define "gateway.podBase" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .root.Values.serviceAccountName }}
serviceAccountName: {{ . }}
{{- end }}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{ toJson . }}
{{- end }}
securityContext:
  {{- include "gateway.podSecurity" . | nindent 2 }}
{{- end -}}

{{/* Volumes: room for what passes through, and media where they are files. Takes { root }. */}}
{{- define "gateway.volumes" -}}
- name: tmp
  emptyDir: {}
{{- with .root.Values.media.existingClaim }}
- name: media
  persistentVolumeClaim:
    claimName: {{ . }}
{{- end }}
{{- end -}}

{{- define "gateway.volumeMounts" -}}
- name: tmp
  mountPath: /tmp
{{- if .root.Values.media.existingClaim }}
- name: media
  mountPath: /data/media
{{- end }}
{{- end -}}

{{/* A Job that runs the command line once. Takes { root, arguments, variables, volumes?, volumeMounts?, resources }. */}}
{{- define "gateway.commandPod" -}}
metadata:
  labels:
    {{- include "gateway.labels" (dict "root" .root "component" .component) | nindent 4 }}
spec:
  restartPolicy: Never
  {{- include "gateway.podBase" . | nindent 2 }}
  containers:
    - name: {{ .component }}
      image: {{ include "gateway.image" .root }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      args: {{ toJson (prepend .arguments "messaging-gateway") }}
      # What it fails with stands in the pod's status: `kubectl describe pod` shows it.
      terminationMessagePolicy: FallbackToLogsOnError
      env:
        {{- include "gateway.environment" . | trim | nindent 8 }}
      securityContext:
        {{- include "gateway.containerSecurity" . | nindent 8 }}
      resources:
        requests: { cpu: 50m, memory: 128Mi }
        limits: { memory: 512Mi }
      volumeMounts:
        {{- include "gateway.volumeMounts" . | nindent 8 }}
        {{- with .volumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
  volumes:
    {{- include "gateway.volumes" . | nindent 4 }}
    {{- with .volumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end -}}
