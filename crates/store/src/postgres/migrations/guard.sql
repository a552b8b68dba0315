-- Who may do what. Every table with a tenant shows only the rows of the tenant that the transaction names, also
-- to its owner; nodes work as `selfhood_node`, which owns nothing and can bypass nothing.

DO $$
DECLARE
    found TEXT;
BEGIN
    FOR found IN
        SELECT c.relname FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace
        WHERE s.nspname = 'selfhood' AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    LOOP
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON selfhood.%I TO selfhood_node', found);
        IF EXISTS (
            SELECT 1 FROM pg_attribute
            WHERE attrelid = format('selfhood.%I', found)::regclass AND attname = 'tenant' AND NOT attisdropped
        ) THEN
            EXECUTE format('ALTER TABLE selfhood.%I ENABLE ROW LEVEL SECURITY', found);
            EXECUTE format('ALTER TABLE selfhood.%I FORCE ROW LEVEL SECURITY', found);
            EXECUTE format('DROP POLICY IF EXISTS own_tenant ON selfhood.%I', found);
            EXECUTE format('CREATE POLICY own_tenant ON selfhood.%I USING (tenant = current_setting(''selfhood.tenant'', TRUE))', found);
        END IF;
    END LOOP;
END
$$;

-- An API key is what tells the tenant, and somebody has to know which tenants there are: these two are read
-- by the deployment itself, which no tenant can be named like.
DROP POLICY IF EXISTS deployment ON selfhood.tenants;
CREATE POLICY deployment ON selfhood.tenants FOR SELECT USING (current_setting('selfhood.tenant', TRUE) = '*');
DROP POLICY IF EXISTS deployment ON selfhood.api_keys;
CREATE POLICY deployment ON selfhood.api_keys FOR SELECT USING (current_setting('selfhood.tenant', TRUE) = '*');

GRANT USAGE ON SCHEMA selfhood TO selfhood_node;
GRANT USAGE ON SEQUENCE selfhood.numbers TO selfhood_node;
