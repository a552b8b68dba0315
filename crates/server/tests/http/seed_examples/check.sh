curl "https://api.person.run/personas/$PERSONA_ID/consistency?tenantId=$PERSON_TENANT_ID" \
-H "x-api-key: $PERSON_API_KEY"
