curl -X POST https://api.person.run/personas/$PERSONA_ID/timeline/$TIMELINE_ID/supersede \
-H "x-api-key: $PERSON_API_KEY" \
-H "Content-Type: application/json" \
-d '{
"tenantId": "'$PERSON_TENANT_ID'",
"reason": "Contained incorrect date; corrected in a newer entry."
}'
