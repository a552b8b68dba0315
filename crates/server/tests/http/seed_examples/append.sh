curl -X POST https://api.person.run/personas/$PERSONA_ID/timeline \
-H "x-api-key: $PERSON_API_KEY" \
-H "Content-Type: application/json" \
-d '{
"tenantId": "'$PERSON_TENANT_ID'",
"eventAt": "2025-09-01T09:00:00.000Z",
"eventLabel": "First day at new startup",
"facts": "Started as lead product designer at a health-tech startup. Team of 12.",
"feelings": "Nervous but excited. Impostor syndrome mixed with genuine confidence.",
"emotionTags": ["excitement", "anxiety", "determination"],
"memoryType": "normal",
"memoryStrength": 72,
"interpretation": "A fresh start. The team seems talented and the mission resonates."
}'
