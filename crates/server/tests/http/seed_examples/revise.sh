curl -X POST https://api.person.run/personas/$PERSONA_ID/timeline \
-H "x-api-key: $PERSON_API_KEY" \
-H "Content-Type: application/json" \
-d '{
"tenantId": "'$PERSON_TENANT_ID'",
"eventAt": "2025-09-01T09:00:00.000Z",
"eventLabel": "First day at new startup (revised)",
"facts": "Started at a health-tech startup. Discovered the codebase was in worse shape than expected.",
"feelings": "Initial excitement gave way to concern about technical debt.",
"emotionTags": ["concern", "determination"],
"memoryType": "revised",
"memoryStrength": 68,
"interpretation": "The reality was harder than expected, but that made the work more meaningful.",
"revisesTimelineId": "original-timeline-entry-id",
"revisionReason": "Updated after reflecting on the full experience."
}'
