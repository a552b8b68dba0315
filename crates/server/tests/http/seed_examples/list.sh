curl "https://api.person.run/personas/$PERSONA_ID/timeline?tenantId=$PERSON_TENANT_ID&limit=20&offset=0" \
-H "x-api-key: $PERSON_API_KEY"
