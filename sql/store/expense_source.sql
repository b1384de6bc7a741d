-- relation: expense_source
-- param:  workspace text
-- Sources of a workspace's expenses: connections, with or without a book, and books from files, which have no connection.
select source.id as source_id, source.type as source_type, book.book_id
from source
left join book on book.workspace = source.workspace and book.source_id = source.id
where source.workspace = :workspace
union all
select book.source_id, 'csv' as source_type, book.book_id
from book
left join source on source.workspace = book.workspace and source.id = book.source_id
where book.workspace = :workspace and source.id is null
